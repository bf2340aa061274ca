/** Where the pages for developers are. */
export const eventsPath = '/developers/events'
export const webhooksPath = '/developers/webhooks'
export const requestLogPath = '/developers/request-log'
export const applicationsPath = '/settings/api/oauth-applications'
