import Type from 'typebox'

export const syncedKinds = ['bills', 'invoices', 'payments'] as const
/** What a sync takes across: bills, invoices and payments made here go there, payments made there come here. */
export type SyncedKind = (typeof syncedKinds)[number]

export const mappingKinds = [
  'pay_terms',
  'bill_items',
  'invoice_items',
  'tax_rates',
  'partner_carriers',
  'customers',
  'paying_accounts',
] as const
export type MappingKind = (typeof mappingKinds)[number]

export const remoteLists = ['vendors', 'customers', 'accounts', 'bank_accounts', 'items', 'terms', 'tax_codes'] as const
export type RemoteList = (typeof remoteLists)[number]

/** `needed`: a record of this kind that is not mapped keeps its documents from being sent. `list`: what can be chosen from. */
export type MappingOf = { kind: MappingKind; needed: boolean; list: RemoteList | null; description: string }

/** `list`: the value is the id of one of these; `isDate`: it is a day. */
export type SettingOf = {
  name: SettingName
  description: string
  example: string
  list: RemoteList | null
  isDate?: true
}

type AccountSetting =
  | 'expense_account'
  | 'income_account'
  | 'tax_account'
  | 'payables_account'
  | 'receivables_account'
  | 'payment_account'
  | 'deposit_account'
export type SettingName = 'client_id' | 'start_on' | AccountSetting

export type ConnectorSettings = Partial<Record<SettingName, string>>

export type Connector = {
  id: string
  name: string
  description: string
  /** `online`: records are sent one by one to a service. `file`: a sync makes a file. */
  transport: 'online' | 'file'
  what: readonly SyncedKind[]
  mappings: readonly MappingOf[]
  settings: readonly SettingOf[]
  secrets: readonly string[]
}

const startOn: SettingOf = {
  name: 'start_on',
  description: 'Documents that are dated before this day stay here.',
  example: '2026-11-01',
  list: null,
  isDate: true,
}

const application: SettingOf = {
  name: 'client_id',
  description: 'The client id of your own application there; needed where the server has none.',
  example: 'ABq3x…',
  list: null,
}

const account = (name: SettingName, description: string, example: string, list: RemoteList | null): SettingOf => ({
  name,
  description,
  example,
  list,
})

const parties = (needed: boolean, vendors: RemoteList | null, customers: RemoteList | null): MappingOf[] => [
  { kind: 'partner_carriers', needed, list: vendors, description: 'Carriers and partners to vendors.' },
  { kind: 'customers', needed, list: customers, description: 'Customers to customers.' },
]

const payingAccounts: MappingOf = {
  ...{ kind: 'paying_accounts', needed: false, list: 'bank_accounts' },
  description:
    'Paying accounts to the bank accounts that bills are paid from. Without one, and without `payment_account`, payments of bills stay here.',
}

const paymentAccounts = (example: string): readonly SettingOf[] => [
  account(
    'payment_account',
    'The id of the account that bills are paid from in currencies whose paying account is not mapped.',
    example,
    'bank_accounts',
  ),
  account(
    'deposit_account',
    'The id of the account that customers pay to. Without it payments of customers stay here.',
    example,
    'bank_accounts',
  ),
]

const ledger: readonly SettingOf[] = [
  startOn,
  account(
    'payables_account',
    'The account of what is owed to carriers; `Accounts Payable` unless said.',
    'Accounts Payable',
    null,
  ),
  account(
    'receivables_account',
    'The account of what customers owe; `Accounts Receivable` unless said.',
    'Accounts Receivable',
    null,
  ),
  account('expense_account', 'The account of lines of bills whose type is not mapped.', 'Freight Costs', null),
  account('income_account', 'The account of lines of invoices whose type is not mapped.', 'Freight Income', null),
  account('tax_account', 'The account of taxes; `Sales Tax Payable` unless said.', 'Sales Tax Payable', null),
]

const ledgerMappings: readonly MappingOf[] = [
  { kind: 'bill_items', needed: true, list: null, description: 'Bill item types on bills to expense accounts.' },
  { kind: 'invoice_items', needed: true, list: null, description: 'Bill item types on invoices to income accounts.' },
  ...parties(false, null, null),
]

/** Every accounting system that an organization can be connected with. Online ones have an adapter of the same id. */
export const connectors: readonly Connector[] = [
  {
    id: 'quickbooks_online',
    name: 'QuickBooks Online',
    description:
      'Bills become bills and invoices become invoices in a company of QuickBooks Online, payments become bill payments and payments; those made there come back.',
    transport: 'online',
    what: syncedKinds,
    mappings: [
      {
        kind: 'pay_terms',
        needed: false,
        list: 'terms',
        description: 'Pay terms to terms. The due date is sent in any case.',
      },
      { kind: 'bill_items', needed: true, list: 'accounts', description: 'Bill item types on bills to accounts.' },
      {
        kind: 'invoice_items',
        needed: true,
        list: 'items',
        description: 'Bill item types on invoices to products and services.',
      },
      { kind: 'tax_rates', needed: true, list: 'tax_codes', description: 'Tax rates to tax codes.' },
      ...parties(true, 'vendors', 'customers'),
      payingAccounts,
    ],
    settings: [
      application,
      startOn,
      account('expense_account', 'The id of the account of lines of bills whose type is not mapped.', '7', 'accounts'),
      account(
        'income_account',
        'The id of the product or service of lines of invoices whose type is not mapped.',
        '3',
        'items',
      ),
      account('tax_account', 'The id of the account of a tax that was entered by hand on a bill.', '42', 'accounts'),
      ...paymentAccounts('35'),
    ],
    secrets: ['client_secret'],
  },
  {
    id: 'xero',
    name: 'Xero',
    description:
      'Bills become bills and invoices become invoices in an organisation of Xero, payments become payments; those made there come back.',
    transport: 'online',
    what: syncedKinds,
    mappings: [
      { kind: 'bill_items', needed: true, list: 'accounts', description: 'Bill item types on bills to accounts.' },
      {
        kind: 'invoice_items',
        needed: true,
        list: 'accounts',
        description: 'Bill item types on invoices to accounts.',
      },
      { kind: 'tax_rates', needed: true, list: 'tax_codes', description: 'Tax rates to tax types.' },
      ...parties(true, 'vendors', 'customers'),
      payingAccounts,
    ],
    settings: [
      application,
      startOn,
      account(
        'expense_account',
        'The code of the account of lines of bills whose type is not mapped.',
        '425',
        'accounts',
      ),
      account(
        'income_account',
        'The code of the account of lines of invoices whose type is not mapped.',
        '200',
        'accounts',
      ),
      account('tax_account', 'The code of the account of a tax that was entered by hand.', '820', 'accounts'),
      ...paymentAccounts('13918178-849a-4823-9a31-57b7eac713d7'),
    ],
    secrets: ['client_secret'],
  },
  {
    id: 'csv',
    name: 'CSV file',
    description: 'A file with a row for each line of the bills and invoices, for anything that reads tables.',
    transport: 'file',
    what: ['bills', 'invoices'],
    mappings: ledgerMappings.map((mapping) => ({ ...mapping, needed: false })),
    settings: [startOn],
    secrets: [],
  },
  {
    id: 'iif',
    name: 'IIF file',
    description: 'A file that QuickBooks Desktop imports: bills and invoices with their splits.',
    transport: 'file',
    what: ['bills', 'invoices'],
    mappings: ledgerMappings,
    settings: ledger,
    secrets: [],
  },
  {
    id: 'journal',
    name: 'Journal file',
    description: 'A file of journal entries, debits and credits in balance, for any general ledger.',
    transport: 'file',
    what: ['bills', 'invoices'],
    mappings: ledgerMappings,
    settings: ledger,
    secrets: [],
  },
]

export function connectorOf(id: string): Connector | undefined {
  return connectors.find((connector) => connector.id === id)
}

const mappingKind = Type.Enum(mappingKinds, { description: 'What is mapped.', examples: ['bill_items'] })
const list = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  enum: [...remoteLists, null],
  description: 'What can be chosen from, of `GET …/remote/{list}`; null where it is any text.',
  examples: ['accounts'],
})

export const ConnectorSchema = Type.Object(
  {
    id: Type.String({
      description:
        'The connector: the `connector_id` of connections, and the key of `connector_mappings` of pay terms.',
      examples: ['xero'],
    }),
    name: Type.String({ description: 'What people call it.', examples: ['Xero'] }),
    description: Type.String({ description: 'What it does.', examples: ['Bills become bills …'] }),
    transport: Type.Enum(['online', 'file'], {
      description: '`online` sends records to a service, `file` makes a file.',
      examples: ['online'],
    }),
    what: Type.Array(Type.Enum(syncedKinds), {
      description: 'What it takes across.',
      examples: [['bills', 'invoices', 'payments']],
    }),
    has_application: Type.Boolean({
      description:
        'Whether this server has an application there. Where it has not, a connection needs `client_id` and `client_secret`.',
      examples: [true],
    }),
    mappings: Type.Array(
      Type.Object({
        kind: mappingKind,
        needed: Type.Boolean({ description: 'Whether documents are refused while it is missing.', examples: [true] }),
        list,
        description: Type.String({ description: 'What is mapped to what.', examples: ['Tax rates to tax codes.'] }),
      }),
      { description: 'What can be mapped.' },
    ),
    settings: Type.Array(
      Type.Object({
        name: Type.String({ description: 'The key in `settings` of a connection.', examples: ['start_on'] }),
        description: Type.String({
          description: 'What it says.',
          examples: ['Documents that are dated before this day stay here.'],
        }),
        example: Type.String({ description: 'Such a value.', examples: ['2026-11-01'] }),
        list,
      }),
      { description: 'What a connection can be set to.' },
    ),
    secrets: Type.Array(Type.String(), {
      description: 'The keys in `secrets` of a connection.',
      examples: [['client_secret']],
    }),
  },
  { $id: 'Connector', description: 'An accounting system that an organization can be connected with.' },
)
