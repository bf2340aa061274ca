export const transfersPath = '/settings/transfers'
