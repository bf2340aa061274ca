/** QuickBooks Online as its documentation describes it, as far as Lading asks: companies, queries, SyncToken, requestid, payments, faults, CDC. */
import { type Accounting, type Asked, type Given, startAccounting } from './accounting.ts'

type Json = Record<string, unknown>
type Entity = Json & { Id: string; SyncToken: string }
export type Company = Record<
  'Vendor' | 'Customer' | 'Account' | 'Item' | 'Term' | 'TaxCode' | 'Bill' | 'Invoice' | 'BillPayment' | 'Payment',
  Entity[]
>
export type Quickbooks = Accounting & {
  company(realm: string): Company
  /** Somebody pays a bill there. */
  pay(realm: string, bill: string, amount: number, more?: Json): string
  /** Somebody settles documents there by credits, and by money for the rest; with an id, changes what was settled so. */
  settle(realm: string, type: 'Bill' | 'Invoice', amounts: Record<string, number>, credit: number, id?: string): string
  /** Somebody changes the amount of a payment of one bill there. */
  change(realm: string, payment: string, amount: number): void
  /** Somebody deletes a payment of a bill there. */
  remove(realm: string, payment: string): void
}

const entities = { bill: 'Bill', invoice: 'Invoice', billpayment: 'BillPayment', payment: 'Payment' } as const
type Written = (typeof entities)[keyof typeof entities]
type Linked = { Amount: number; LinkedTxn?: { TxnId: string; TxnType: string }[] }

export async function startQuickbooks(): Promise<Quickbooks> {
  const companies = new Map<string, Company>()
  const requests = new Map<string, Given>()
  let counter = 100
  const company = (realm: string): Company => {
    const found = companies.get(realm) ?? newCompany()
    companies.set(realm, found)
    return found
  }
  const touched = () => ({ MetaData: { LastUpdatedTime: new Date().toISOString() } })

  function answer(asked: Asked): Given {
    const [, realm = '', rest = ''] = /^\/v3\/company\/(\d+)\/(.+)$/.exec(asked.path) ?? []
    const own = company(realm)
    if (rest.startsWith('companyinfo/'))
      return { status: 200, body: { CompanyInfo: { CompanyName: `Company ${realm}`, Id: '1' }, time: now() } }
    if (rest === 'query') return query(own, asked.query.get('query') ?? '')
    if (rest === 'cdc') return cdc(own, asked.query.get('changedSince') ?? '')
    const [type = '', id] = rest.split('/')
    const entity = entities[type as keyof typeof entities]
    if (!entity) return fault('500', 'Unsupported Operation')
    if (asked.method === 'GET') {
      const found = own[entity].find((one) => one.Id === id && one.status !== 'Deleted')
      return found ? { status: 200, body: { [entity]: found, time: now() } } : fault('610', 'Object Not Found')
    }
    const request = asked.query.get('requestid')
    const before = request && requests.get(`${realm} ${request}`)
    if (before) return before
    const given = write(own, entity, asked.body as Json, asked.query)
    balance(own)
    if (request && given.status === 200) requests.set(`${realm} ${request}`, given)
    return given
  }

  function write(own: Company, entity: Written, body: Json, asked: URLSearchParams): Given {
    const list = own[entity]
    const operation = asked.get('operation')
    const isPayment = entity === 'BillPayment' || entity === 'Payment'
    const current =
      body.Id === undefined ? undefined : list.find(({ Id, status }) => Id === body.Id && status !== 'Deleted')
    if (body.Id !== undefined && !current)
      return fault('610', 'Object Not Found', 'Object Not Found : Another user has deleted this transaction.')
    if (current && body.SyncToken !== current.SyncToken)
      return fault(
        '5010',
        'Stale Object Error',
        'Stale Object Error : You and another user were working on this at the same time.',
      )
    if (current && operation === 'delete') {
      const deleted = { Id: current.Id, SyncToken: next(current), status: 'Deleted', ...touched() }
      // What was deleted of payments is told by CDC.
      list.splice(list.indexOf(current), 1, ...(isPayment ? [deleted] : []))
      return { status: 200, body: { [entity]: { Id: current.Id, status: 'Deleted' }, time: now() } }
    }
    // Payments are voided by a change that says so, other records by an operation.
    if (current && (entity === 'Payment' ? asked.get('include') === 'void' : operation === 'void')) {
      Object.assign(current, { TotalAmt: 0, Balance: 0, PrivateNote: 'Voided', SyncToken: next(current), ...touched() })
      if (entity === 'Payment') current.Line = []
      return { status: 200, body: { [entity]: current, time: now() } }
    }
    const wrong = isPayment ? faultInPayment(own, entity, body, current) : faultIn(own, entity, body, current)
    if (wrong) return wrong
    const amount = isPayment
      ? (body.TotalAmt as number)
      : (body.Line as { Amount: number }[]).reduce((sum, { Amount }) => sum + Amount, 0)
    const made: Entity = {
      ...body,
      ...touched(),
      Id: current?.Id ?? String(++counter),
      SyncToken: current ? next(current) : '0',
      TotalAmt: amount,
      ...(entity === 'Payment' && { UnappliedAmt: amount - sumOf(body.Line as Linked[]) }),
    }
    if (current) list[list.indexOf(current)] = made
    else list.push(made)
    return { status: 200, body: { [entity]: made, time: now() } }
  }

  function pay(realm: string, bill: string, amount: number, more: Json = {}): string {
    const Id = String(++counter)
    const Line = [{ Amount: amount, LinkedTxn: [{ TxnId: bill, TxnType: 'Bill' }] }]
    const payment = { PayType: 'Check', TotalAmt: amount, TxnDate: '2026-11-16', DocNumber: `CHK-${Id}`, Line }
    company(realm).BillPayment.push({ Id, SyncToken: '0', ...payment, ...touched(), ...more })
    balance(company(realm))
    return Id
  }

  function settle(
    realm: string,
    type: 'Bill' | 'Invoice',
    amounts: Record<string, number>,
    credit: number,
    id?: string,
  ): string {
    const [list, of] =
      type === 'Bill' ? [company(realm).BillPayment, 'VendorCredit'] : [company(realm).Payment, 'CreditMemo']
    const before = list.find(({ Id }) => Id === id)
    const line = (Amount: number, TxnId: string, TxnType: string) => ({ Amount, LinkedTxn: [{ TxnId, TxnType }] })
    const documents = Object.entries(amounts).map(([document, amount]) => line(amount, document, type))
    const made = {
      ...{
        Id: before?.Id ?? String(++counter),
        SyncToken: before ? next(before) : '0',
        PayType: 'Check',
        TxnDate: '2026-11-16',
        TotalAmt: sumOf(documents) - credit,
      },
      ...{
        Line: [...documents, ...(credit > 0 ? [line(credit, '777', of)] : [])],
        MetaData: { LastUpdatedTime: now() },
      },
    }
    if (before) list[list.indexOf(before)] = made
    else list.push(made)
    balance(company(realm))
    return made.Id
  }

  function change(realm: string, payment: string, amount: number): void {
    const found = company(realm).BillPayment.find(({ Id }) => Id === payment) as Entity
    const MetaData = { LastUpdatedTime: new Date(Date.now() + 1000).toISOString() }
    Object.assign(found, {
      SyncToken: next(found),
      TotalAmt: amount,
      Line: [{ ...(found.Line as Linked[])[0], Amount: amount }],
      MetaData,
    })
    balance(company(realm))
  }

  function remove(realm: string, payment: string): void {
    const list = company(realm).BillPayment
    const later = new Date(Date.now() + 1000).toISOString()
    const at = list.findIndex(({ Id }) => Id === payment)
    list[at] = { Id: payment, SyncToken: '1', status: 'Deleted', MetaData: { LastUpdatedTime: later } }
    balance(company(realm))
  }

  const accounting = await startAccounting({
    tokenPath: '/oauth2/v1/tokens/bearer',
    lifetime: 3600,
    answer,
    companyIn: (_request, url) => /^\/v3\/company\/(\d+)/.exec(url.pathname)?.[1] ?? '',
    expired: {
      status: 401,
      body: {
        fault: {
          error: [{ message: 'message=AuthenticationFailed; errorCode=003200; statusCode=401', code: '3200' }],
          type: 'AUTHENTICATION',
        },
      },
    },
    forbidden: {
      status: 403,
      body: {
        fault: {
          error: [{ message: 'message=ApplicationAuthorizationFailed; errorCode=003100', code: '3100' }],
          type: 'AUTHORIZATION',
        },
      },
    },
    busy: {
      status: 429,
      headers: { 'retry-after': '40' },
      body: {
        fault: { error: [{ message: 'message=ThrottleExceeded; errorCode=003001', code: '3001' }], type: 'SERVICE' },
      },
    },
  })
  return { ...accounting, company, pay, settle, change, remove }
}

function newCompany(): Company {
  const entity = (Id: string, fields: Json): Entity => ({ Id, SyncToken: '0', Active: true, ...fields })
  return {
    Vendor: [
      entity('56', { DisplayName: 'Cascade Carriers' }),
      entity('57', { DisplayName: 'Harbor Lines', Active: false }),
    ],
    Customer: [entity('21', { DisplayName: 'Acme Foods' })],
    Account: [
      entity('7', { FullyQualifiedName: 'Freight Costs', AccountType: 'Cost of Goods Sold' }),
      entity('8', { FullyQualifiedName: 'Fuel', AccountType: 'Expense' }),
      entity('35', { FullyQualifiedName: 'Checking', AccountType: 'Bank' }),
      entity('36', { FullyQualifiedName: 'Savings', AccountType: 'Bank' }),
    ],
    Item: [entity('3', { FullyQualifiedName: 'Freight', Type: 'Service' })],
    Term: [entity('4', { Name: 'Net 30', DueDays: 30 })],
    TaxCode: [entity('TAX', { Name: 'State tax', Description: '8.25 %' })],
    Bill: [],
    Invoice: [],
    BillPayment: [],
    Payment: [],
  }
}

/** What is open of every document. */
function balance(own: Company): void {
  const lines = [...own.BillPayment, ...own.Payment].flatMap(({ Line = [], status }) =>
    status === 'Deleted' ? [] : (Line as Linked[]),
  )
  for (const type of ['Bill', 'Invoice'] as const)
    for (const one of own[type].filter(({ PrivateNote }) => !String(PrivateNote ?? '').startsWith('Voided')))
      one.Balance =
        Number(one.TotalAmt) -
        sumOf(
          lines.filter(({ LinkedTxn = [] }) =>
            LinkedTxn.some(({ TxnId, TxnType }) => TxnId === one.Id && TxnType === type),
          ),
        )
}

function sumOf(lines: readonly Linked[]): number {
  return lines.reduce((sum, { Amount }) => sum + Amount, 0)
}

function faultInPayment(own: Company, entity: Written, body: Json, current: Entity | undefined): Given | null {
  const isBill = entity === 'BillPayment'
  const idOf = (ref: unknown) => (ref as { value?: string } | undefined)?.value
  const party = (isBill ? own.Vendor : own.Customer).find(
    ({ Id, Active }) => Id === idOf(isBill ? body.VendorRef : body.CustomerRef) && Active !== false,
  )
  if (!party) return fault('2500', 'Invalid Reference Id', 'Invalid Reference Id : Names element id is invalid')
  const account = idOf(isBill ? (body.CheckPayment as Json | undefined)?.BankAccountRef : body.DepositToAccountRef)
  const found = own.Account.find(({ Id }) => Id === account)
  if (!found)
    return fault('2500', 'Invalid Reference Id', `Invalid Reference Id : Accounts element id ${account} not found`)
  const allowed = isBill ? ['Bank'] : ['Bank', 'Other Current Asset']
  if ((isBill && body.PayType !== 'Check') || !allowed.includes(String(found.AccountType)))
    return business('You need to select a different type of account for this transaction.')
  const lines = (body.Line ?? []) as Linked[]
  if (isBill && lines.length === 0)
    return fault(
      '2020',
      'Required param missing, need to supply the required value for the API',
      'Required parameter Line is missing',
    )
  for (const { Amount, LinkedTxn = [] } of lines) {
    const [linked] = LinkedTxn
    const document =
      linked?.TxnType === (isBill ? 'Bill' : 'Invoice')
        ? own[linked.TxnType as 'Bill'].find(({ Id }) => Id === linked.TxnId)
        : undefined
    if (!document)
      return fault('2500', 'Invalid Reference Id', `Invalid Reference Id : Transaction ${linked?.TxnId} is invalid`)
    const before = ((current?.Line ?? []) as Linked[]).filter((line) => line.LinkedTxn?.[0]?.TxnId === linked?.TxnId)
    if (Amount <= 0 || Amount > Number(document.Balance) + sumOf(before))
      return business('The amount applied is more than the open balance of the transaction.')
  }
  const isWhole = isBill ? sumOf(lines) === body.TotalAmt : sumOf(lines) <= Number(body.TotalAmt)
  return isWhole ? null : business('The payments you entered add up to more than the amount received.')
}

function business(why: string): Given {
  return fault(
    '6000',
    'A business validation error has occurred while processing your request',
    `Business Validation Error: ${why}`,
  )
}

function faultIn(own: Company, entity: Written, body: Json, current: Entity | undefined): Given | null {
  const refs = (list: Entity[], ref: unknown) =>
    list.some(({ Id, Active }) => Id === (ref as { value?: string } | undefined)?.value && Active !== false)
  const party = entity === 'Bill' ? refs(own.Vendor, body.VendorRef) : refs(own.Customer, body.CustomerRef)
  if (!party)
    return fault(
      '2500',
      'Invalid Reference Id',
      'Invalid Reference Id : Something you’re trying to use has been made inactive.',
    )
  const lines = (body.Line ?? []) as {
    Amount?: unknown
    AccountBasedExpenseLineDetail?: Json
    SalesItemLineDetail?: Json
  }[]
  if (lines.length === 0)
    return fault(
      '2020',
      'Required param missing, need to supply the required value for the API',
      'Required parameter Line is missing in the request',
    )
  for (const { Amount, AccountBasedExpenseLineDetail, SalesItemLineDetail } of lines) {
    const isKnown =
      entity === 'Bill'
        ? refs(own.Account, AccountBasedExpenseLineDetail?.AccountRef)
        : refs(own.Item, SalesItemLineDetail?.ItemRef)
    if (typeof Amount !== 'number' || !isKnown)
      return fault('2500', 'Invalid Reference Id', 'Invalid Reference Id : Accounts element id is invalid')
  }
  const number = String(body.DocNumber ?? '')
  if (number.length > 21)
    return fault(
      '2050',
      'String length is either shorter or longer than supported by specification',
      'DocNumber: Min:0 Max:21',
    )
  const other = own[entity].find(({ DocNumber, Id }) => DocNumber === number && Id !== current?.Id)
  if (other)
    return fault(
      '6140',
      'Duplicate Document Number Error',
      `Duplicate Document Number Error : DocNumber=${number} is assigned to TxnType=${entity} with TxnId=${other.Id}`,
    )
  return null
}

/** `select * from Vendor where DocNumber = '…' startposition 1 maxresults 1000`. */
function query(own: Company, text: string): Given {
  const [, name = '', where, start = '1', most = '100'] =
    /^select \* from (\w+)(?: where (.+?))? startposition (\d+) maxresults (\d+)$/.exec(text) ?? []
  const list = own[name as keyof Company]
  if (!list) return fault('4000', 'Error parsing query', `QueryParserError: ${text}`)
  const [, field = '', operator, value = ''] = /^([\w.]+) (=|>=) '((?:[^'\\]|\\.)*)'$/.exec(where ?? '') ?? []
  const plain = value.replace(/\\(.)/g, '$1')
  const fieldOf = (one: Entity) =>
    String(field.split('.').reduce<unknown>((inner, part) => (inner as Json)?.[part], one))
  const oneOf = /^AccountType in \((.+)\)$/.exec(where ?? '')?.[1]?.split(', ')
  const matches = (one: Entity) =>
    where === undefined ||
    (oneOf ? oneOf.includes(`'${one.AccountType}'`) : operator === '=' ? fieldOf(one) === plain : fieldOf(one) >= plain)
  const found = list.filter((one) => one.status !== 'Deleted' && matches(one))
  const page = found.slice(Number(start) - 1, Number(start) - 1 + Number(most))
  return {
    status: 200,
    body: {
      QueryResponse: page.length > 0 ? { [name]: page, startPosition: Number(start), maxResults: page.length } : {},
      time: now(),
    },
  }
}

function cdc(own: Company, since: string): Given {
  const changed = (list: Entity[]) =>
    list.filter(
      ({ MetaData }) => (MetaData as { LastUpdatedTime: string }).LastUpdatedTime >= new Date(since).toISOString(),
    )
  const QueryResponse = (['BillPayment', 'Payment'] as const).map((name) =>
    changed(own[name]).length > 0 ? { [name]: changed(own[name]) } : {},
  )
  return { status: 200, body: { CDCResponse: [{ QueryResponse }], time: now() } }
}

function fault(code: string, Message: string, Detail = Message): Given {
  return {
    status: 400,
    body: { Fault: { Error: [{ Message, Detail, code, element: '' }], type: 'ValidationFault' }, time: now() },
  }
}

function next({ SyncToken }: Entity): string {
  return String(Number(SyncToken) + 1)
}

function now(): string {
  return new Date().toISOString()
}
