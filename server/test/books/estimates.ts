/** A second kind of document, as one would be added: tables, fields and a description. Nothing of the machinery knows of it. */
import { address, date, id, serverField, text } from '../../src/books/documents/model/fields/fields.ts'
import { lineFields } from '../../src/books/documents/model/fields/line-fields.ts'
import { currency, documentFields, taxSwitch } from '../../src/books/documents/model/fields/standard-fields.ts'
import { defineDocument } from '../../src/books/documents/model/kind/kind.ts'
import { idList } from '../../src/books/documents/model/kind/search-schema.ts'
import { Id, nullable } from '../../src/platform/core/schema/schema.ts'
import { sql } from '../../src/platform/db/sql/sql.ts'

const names = { noun: 'estimate', plural: 'estimates' } as const

export const estimateFields = documentFields(
  { ...names, numberExample: 'EST-000007' },
  {
    currency_id: currency(names),
    pay_term_id: id('The pay term; must exist.'),
    customer_id: id('Who asked.', {
      filter: { by: 'any', name: 'customer_ids', description: 'Keeps the estimates for these customers.' },
    }),
    estimate_date: date('The date of the estimate.', { isSortable: true }),
    due_date: date('When it is to be paid.', { isSortable: true }),
    ship_to: address(),
    is_tax_on: taxSwitch(),
    tracking: text('Where to follow it.', 'https://track.example/7', { isContent: false }),
  },
  { replaced_by_id: serverField(nullable(Id('The estimate that replaces it.')), 'uuid') },
)

export const estimates = defineDocument({
  ...names,
  scope: 'invoices',
  numberPrefix: 'est',
  fields: estimateFields,
  date: 'estimate_date',
  lines: {
    noun: 'estimate_item',
    plural: 'estimate_items',
    parentKey: 'estimate_id',
    fields: lineFields({ order_id: id('The order.') }, { description: 'What for.', example: 'Freight' }),
    type: null,
  },
  filters: {
    in_order_ids: {
      schema: idList('Keeps the estimates with a line for one of these orders.'),
      condition: (org, orders) =>
        sql`b.id in (select i.estimate_id from estimate_items i where i.org_id = ${org} and i.order_id = any(${orders}::uuid[]))`,
    },
  },
  wording: {
    document: 'What a transport would cost.',
    line: 'A line of an estimate.',
    reasonExample: 'Customer changed the order',
  },
})

/** What its migration would be. */
export const estimateTables = `
create table if not exists estimates (
  org_id uuid not null,
  id uuid not null, full_id uuid not null, number integer, external_id text,
  status_id text not null default 'draft', currency_id text, pay_term_id uuid, customer_id uuid,
  estimate_date timestamptz(3), due_date timestamptz(3), sent_at timestamptz(3), paid_at timestamptz(3), ship_to jsonb, is_tax_on boolean not null default false, tracking text,
  sub_total_amount amount not null default 0, tax_amount amount not null default 0, total_amount amount not null default 0, kept_tax_amount bigint, replaced_by_id uuid,
  amount_paid bigint default 0, unpaid_status_id text, voided_at timestamptz(3), void_reason text, exchange_rate numeric, home_currency_id text, home_total_amount bigint,
  revision integer not null default 1, created_by text not null, created_at timestamptz(3) not null default now(), updated_at timestamptz(3) not null default now(),
  primary key (org_id, id),
  constraint estimate_external_id unique (org_id, external_id)
);
create table if not exists estimate_items (
  org_id uuid not null, id uuid not null, estimate_id uuid not null, position integer not null, order_id uuid, unit_price amount not null, quantity amount not null,
  total_amount amount not null, tax_rate_id uuid, tax_amount bigint not null default 0, description text, created_at timestamptz(3) not null default now(), updated_at timestamptz(3) not null default now(),
  primary key (org_id, id),
  constraint estimate_item_position unique (org_id, estimate_id, position) deferrable
);
drop policy if exists own_organization on estimates;
drop policy if exists own_organization on estimate_items;
call keep_apart('estimates');
call keep_apart('estimate_items');
alter table estimates add constraint estimate_organization foreign key (org_id) references organizations;
alter table estimates add constraint estimate_currency foreign key (currency_id) references currencies;
alter table estimates add constraint estimate_pay_term foreign key (org_id, pay_term_id) references pay_terms;
alter table estimate_items add constraint estimate_item_estimate foreign key (org_id, estimate_id) references estimates on delete cascade;
create or replace view estimates_wire with (security_invoker = true) as
select b.org_id, b.id, b.revision, b.created_at, b.external_id, b.created_by, b.pay_term_id, b.currency_id, left(row_to_json(wire)::text, -1) || own.money as open_json, left(row_to_json(wire)::text, -1) || own.money || '}' as json
from estimates b cross join lateral (
  select wire_of_money(b.status_id, b.total_amount, b.amount_paid, b.voided_at, b.void_reason, b.exchange_rate, b.home_currency_id, b.home_total_amount) as money) own cross join lateral (
  select b.id, b.org_id, wire_time(b.created_at) as created_at, wire_time(b.updated_at) as updated_at, b.created_by, b.full_id, b.external_id, b.revision, b.status_id,
    b.currency_id, b.pay_term_id, b.customer_id, wire_time(b.estimate_date) as estimate_date, wire_time(b.due_date) as due_date, wire_time(b.sent_at) as sent_at,
    wire_time(b.paid_at) as paid_at, wire_address(b.ship_to) as ship_to, b.is_tax_on, b.tracking, b.sub_total_amount, b.tax_amount, b.total_amount, b.kept_tax_amount,
    'EST-' || lpad(b.number::text, greatest(6, length(b.number::text)), '0') as number, b.replaced_by_id,
    ('[' || substr(next_moves(b.status_id, 'not_needed', b.currency_id is not null, b.sent_at is null, true) || case when b.status_id = 'draft' then ',"delete"' else '' end, 2) || ']')::json as available_actions) wire;
create or replace view estimate_items_wire with (security_invoker = true) as
select i.org_id, i.id, i.estimate_id, i.position, row_to_json(wire)::text as json from estimate_items i cross join lateral (
  select i.id, wire_time(i.created_at) as created_at, wire_time(i.updated_at) as updated_at, i.estimate_id, i.order_id, i.unit_price, i.quantity, i.total_amount, i.tax_rate_id, i.tax_amount, i.description, i.position) wire;
grant select, insert, update, delete on estimates, estimate_items to lading_app;
grant select on estimates_wire, estimate_items_wire to lading_app;`
