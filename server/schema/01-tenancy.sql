-- Organizations and what keeps them apart, with what every other room needs.

create extension btree_gin;
create extension btree_gist;

grant usage on schema public to lading_app;

-- Amounts are whole numbers of the currency's minor unit, within what every JSON reader can hold exactly.
create domain amount as bigint
  constraint amount_is_exact_in_json check (value between -9007199254740991 and 9007199254740991);

-- Where a table is on a cluster of Citus is said where it is made, with one of these procedures; on plain PostgreSQL
-- they change nothing about that. A later migration spreads a table before it refers to another: its foreign keys are
-- added after keep_apart, each by a statement of its own.
create function is_distributed() returns boolean language plpgsql stable as $$
begin
  if to_regclass('pg_catalog.pg_dist_partition') is null then return false; end if;
  return exists (select from pg_dist_partition where logicalrelid = to_regclass('organizations'));
end $$;

-- A table of an organization. Tenants are kept apart twice: every statement names its organization, and row-level
-- security refuses the others. The policy compares with a plain setting and nothing else, so that it also works on the
-- workers of a cluster. The owner of the tables may read all rows in a transaction that asks for it by a setting, as a
-- backup and the doctor do; requests are served by another role. On a cluster the table is spread by org_id.
create procedure keep_apart(tenant_table regclass) language plpgsql as $$
begin
  execute format('alter table %s enable row level security', tenant_table);
  execute format('alter table %s force row level security', tenant_table);
  execute format(
    'create policy own_organization on %s
       using (org_id = nullif(current_setting(''app.org_id'', true), '''')::uuid)
       with check (org_id = nullif(current_setting(''app.org_id'', true), '''')::uuid)',
    tenant_table);
  execute format('create policy read_by_owner on %s for select to current_user using (current_setting(''app.all_organizations'', true) = ''on'')', tenant_table);
  if is_distributed() then perform create_distributed_table(tenant_table::text, 'org_id', colocate_with => 'organizations'); end if;
end $$;

-- A shared table that is read everywhere and seldom written, or that others refer to: every node has a copy.
create procedure keep_on_every_node(shared_table regclass) language plpgsql as $$
begin
  if is_distributed() then perform create_reference_table(shared_table::text); end if;
end $$;

-- Any other shared table: the first node has it.
create procedure keep_on_first_node(shared_table regclass) language plpgsql as $$
begin
  if is_distributed() then perform citus_add_local_table_to_metadata(shared_table); end if;
end $$;

-- Times leave the service as RFC 3339 in UTC with milliseconds; columns hold exactly that precision, so a time that a
-- client has read finds the same row again. PostgreSQL puts the body of a function into the statement only where the
-- function claims no more than its body keeps, and this one is no more than stable.
create function wire_time(at timestamptz) returns text language sql stable parallel safe as
$$ select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$;

create function wire_address(address jsonb) returns json language sql stable parallel safe as $$
  select case when address is null then null else json_build_object(
    'company_name', address -> 'company_name', 'contact_name', address -> 'contact_name', 'address_1', address -> 'address_1', 'address_2', address -> 'address_2',
    'city', address -> 'city', 'state', address -> 'state', 'postal', address -> 'postal', 'country', address -> 'country') end
$$;

-- The day that a date of a document means. A bare date is kept as its first moment in UTC, and means that day
-- everywhere; any other moment means the day on which it falls in the time zone of the organization.
create function day_of(at timestamptz, time_zone text) returns date language sql immutable parallel safe as $$
  select case when (at at time zone 'UTC')::time = time '00:00' then (at at time zone 'UTC')::date else (at at time zone time_zone)::date end
$$;

create function wire_of_currency(
  id text, name text, description text, iso_4217 text, symbol text, minor_units smallint
) returns text language sql immutable parallel safe as $$
  select row_to_json(wire)::text from (select id, name, description, iso_4217, symbol, minor_units) as wire
$$;

-- ISO 4217, the same for every organization. `minor_units` says how many decimals an amount of this currency is shown
-- with.
create table currencies (
  id text primary key,
  name text not null,
  iso_4217 text not null constraint currency_code_has_three_letters check (iso_4217 ~ '^[A-Z]{3}$'),
  symbol text not null,
  minor_units smallint not null,
  description text not null generated always as (((name || ' (') || iso_4217) || ')') stored,
  wire text not null generated always as (wire_of_currency(id, name, ((name || ' (') || iso_4217) || ')', iso_4217,
    symbol, minor_units)) stored,
  constraint currency_id_is_lower_case check (id = lower(iso_4217))
);
grant select on currencies to lading_app;

insert into currencies (id, name, iso_4217, symbol, minor_units) values
  ('aed', 'UAE Dirham', 'AED', 'AED', 2),
  ('afn', 'Afghani', 'AFN', '؋', 2),
  ('all', 'Lek', 'ALL', 'ALL', 2),
  ('amd', 'Armenian Dram', 'AMD', '֏', 2),
  ('aoa', 'Kwanza', 'AOA', 'Kz', 2),
  ('ars', 'Argentine Peso', 'ARS', '$', 2),
  ('aud', 'Australian Dollar', 'AUD', '$', 2),
  ('awg', 'Aruban Florin', 'AWG', 'AWG', 2),
  ('azn', 'Azerbaijan Manat', 'AZN', '₼', 2),
  ('bam', 'Convertible Mark', 'BAM', 'KM', 2),
  ('bbd', 'Barbados Dollar', 'BBD', '$', 2),
  ('bdt', 'Taka', 'BDT', '৳', 2),
  ('bhd', 'Bahraini Dinar', 'BHD', 'BHD', 3),
  ('bif', 'Burundi Franc', 'BIF', 'BIF', 0),
  ('bmd', 'Bermudian Dollar', 'BMD', '$', 2),
  ('bnd', 'Brunei Dollar', 'BND', '$', 2),
  ('bob', 'Boliviano', 'BOB', 'Bs', 2),
  ('bov', 'Mvdol', 'BOV', 'BOV', 2),
  ('brl', 'Brazilian Real', 'BRL', 'R$', 2),
  ('bsd', 'Bahamian Dollar', 'BSD', '$', 2),
  ('btn', 'Ngultrum', 'BTN', 'BTN', 2),
  ('bwp', 'Pula', 'BWP', 'P', 2),
  ('byn', 'Belarusian Ruble', 'BYN', 'BYN', 2),
  ('bzd', 'Belize Dollar', 'BZD', '$', 2),
  ('cad', 'Canadian Dollar', 'CAD', '$', 2),
  ('cdf', 'Congolese Franc', 'CDF', 'CDF', 2),
  ('che', 'WIR Euro', 'CHE', 'CHE', 2),
  ('chf', 'Swiss Franc', 'CHF', 'CHF', 2),
  ('chw', 'WIR Franc', 'CHW', 'CHW', 2),
  ('clf', 'Unidad de Fomento', 'CLF', 'CLF', 4),
  ('clp', 'Chilean Peso', 'CLP', '$', 0),
  ('cny', 'Yuan Renminbi', 'CNY', '¥', 2),
  ('cop', 'Colombian Peso', 'COP', '$', 2),
  ('cou', 'Unidad de Valor Real', 'COU', 'COU', 2),
  ('crc', 'Costa Rican Colon', 'CRC', '₡', 2),
  ('cuc', 'Peso Convertible', 'CUC', '$', 2),
  ('cup', 'Cuban Peso', 'CUP', '$', 2),
  ('cve', 'Cabo Verde Escudo', 'CVE', 'CVE', 2),
  ('czk', 'Czech Koruna', 'CZK', 'Kč', 2),
  ('djf', 'Djibouti Franc', 'DJF', 'DJF', 0),
  ('dkk', 'Danish Krone', 'DKK', 'kr', 2),
  ('dop', 'Dominican Peso', 'DOP', '$', 2),
  ('dzd', 'Algerian Dinar', 'DZD', 'DZD', 2),
  ('egp', 'Egyptian Pound', 'EGP', 'E£', 2),
  ('ern', 'Nakfa', 'ERN', 'ERN', 2),
  ('etb', 'Ethiopian Birr', 'ETB', 'ETB', 2),
  ('eur', 'Euro', 'EUR', '€', 2),
  ('fjd', 'Fiji Dollar', 'FJD', '$', 2),
  ('fkp', 'Falkland Islands Pound', 'FKP', '£', 2),
  ('gbp', 'Pound Sterling', 'GBP', '£', 2),
  ('gel', 'Lari', 'GEL', '₾', 2),
  ('ghs', 'Ghana Cedi', 'GHS', 'GH₵', 2),
  ('gip', 'Gibraltar Pound', 'GIP', '£', 2),
  ('gmd', 'Dalasi', 'GMD', 'GMD', 2),
  ('gnf', 'Guinean Franc', 'GNF', 'FG', 0),
  ('gtq', 'Quetzal', 'GTQ', 'Q', 2),
  ('gyd', 'Guyana Dollar', 'GYD', '$', 2),
  ('hkd', 'Hong Kong Dollar', 'HKD', '$', 2),
  ('hnl', 'Lempira', 'HNL', 'L', 2),
  ('htg', 'Gourde', 'HTG', 'HTG', 2),
  ('huf', 'Forint', 'HUF', 'Ft', 2),
  ('idr', 'Rupiah', 'IDR', 'Rp', 2),
  ('ils', 'New Israeli Sheqel', 'ILS', '₪', 2),
  ('inr', 'Indian Rupee', 'INR', '₹', 2),
  ('iqd', 'Iraqi Dinar', 'IQD', 'IQD', 3),
  ('irr', 'Iranian Rial', 'IRR', 'IRR', 2),
  ('isk', 'Iceland Krona', 'ISK', 'kr', 0),
  ('jmd', 'Jamaican Dollar', 'JMD', '$', 2),
  ('jod', 'Jordanian Dinar', 'JOD', 'JOD', 3),
  ('jpy', 'Yen', 'JPY', '¥', 0),
  ('kes', 'Kenyan Shilling', 'KES', 'KES', 2),
  ('kgs', 'Som', 'KGS', '⃀', 2),
  ('khr', 'Riel', 'KHR', '៛', 2),
  ('kmf', 'Comorian Franc', 'KMF', 'CF', 0),
  ('kpw', 'North Korean Won', 'KPW', '₩', 2),
  ('krw', 'Won', 'KRW', '₩', 0),
  ('kwd', 'Kuwaiti Dinar', 'KWD', 'KWD', 3),
  ('kyd', 'Cayman Islands Dollar', 'KYD', '$', 2),
  ('kzt', 'Tenge', 'KZT', '₸', 2),
  ('lak', 'Lao Kip', 'LAK', '₭', 2),
  ('lbp', 'Lebanese Pound', 'LBP', 'L£', 2),
  ('lkr', 'Sri Lanka Rupee', 'LKR', 'Rs', 2),
  ('lrd', 'Liberian Dollar', 'LRD', '$', 2),
  ('lsl', 'Loti', 'LSL', 'LSL', 2),
  ('lyd', 'Libyan Dinar', 'LYD', 'LYD', 3),
  ('mad', 'Moroccan Dirham', 'MAD', 'MAD', 2),
  ('mdl', 'Moldovan Leu', 'MDL', 'MDL', 2),
  ('mga', 'Malagasy Ariary', 'MGA', 'Ar', 2),
  ('mkd', 'Denar', 'MKD', 'MKD', 2),
  ('mmk', 'Kyat', 'MMK', 'K', 2),
  ('mnt', 'Tugrik', 'MNT', '₮', 2),
  ('mop', 'Pataca', 'MOP', 'MOP', 2),
  ('mru', 'Ouguiya', 'MRU', 'MRU', 2),
  ('mur', 'Mauritius Rupee', 'MUR', 'Rs', 2),
  ('mvr', 'Rufiyaa', 'MVR', 'MVR', 2),
  ('mwk', 'Malawi Kwacha', 'MWK', 'MWK', 2),
  ('mxn', 'Mexican Peso', 'MXN', '$', 2),
  ('mxv', 'Mexican Unidad de Inversion (UDI)', 'MXV', 'MXV', 2),
  ('myr', 'Malaysian Ringgit', 'MYR', 'RM', 2),
  ('mzn', 'Mozambique Metical', 'MZN', 'MZN', 2),
  ('nad', 'Namibia Dollar', 'NAD', '$', 2),
  ('ngn', 'Naira', 'NGN', '₦', 2),
  ('nio', 'Cordoba Oro', 'NIO', 'C$', 2),
  ('nok', 'Norwegian Krone', 'NOK', 'kr', 2),
  ('npr', 'Nepalese Rupee', 'NPR', 'Rs', 2),
  ('nzd', 'New Zealand Dollar', 'NZD', '$', 2),
  ('omr', 'Rial Omani', 'OMR', 'OMR', 3),
  ('pab', 'Balboa', 'PAB', 'PAB', 2),
  ('pen', 'Sol', 'PEN', 'PEN', 2),
  ('pgk', 'Kina', 'PGK', 'PGK', 2),
  ('php', 'Philippine Peso', 'PHP', '₱', 2),
  ('pkr', 'Pakistan Rupee', 'PKR', 'Rs', 2),
  ('pln', 'Zloty', 'PLN', 'zł', 2),
  ('pyg', 'Guarani', 'PYG', '₲', 0),
  ('qar', 'Qatari Rial', 'QAR', 'QAR', 2),
  ('ron', 'Romanian Leu', 'RON', 'lei', 2),
  ('rsd', 'Serbian Dinar', 'RSD', 'RSD', 2),
  ('rub', 'Russian Ruble', 'RUB', '₽', 2),
  ('rwf', 'Rwanda Franc', 'RWF', 'RF', 0),
  ('sar', 'Saudi Riyal', 'SAR', 'SAR', 2),
  ('sbd', 'Solomon Islands Dollar', 'SBD', '$', 2),
  ('scr', 'Seychelles Rupee', 'SCR', 'SCR', 2),
  ('sdg', 'Sudanese Pound', 'SDG', 'SDG', 2),
  ('sek', 'Swedish Krona', 'SEK', 'kr', 2),
  ('sgd', 'Singapore Dollar', 'SGD', '$', 2),
  ('shp', 'Saint Helena Pound', 'SHP', '£', 2),
  ('sle', 'Leone', 'SLE', 'SLE', 2),
  ('sos', 'Somali Shilling', 'SOS', 'SOS', 2),
  ('srd', 'Surinam Dollar', 'SRD', '$', 2),
  ('ssp', 'South Sudanese Pound', 'SSP', '£', 2),
  ('stn', 'Dobra', 'STN', 'Db', 2),
  ('svc', 'El Salvador Colon', 'SVC', 'SVC', 2),
  ('syp', 'Syrian Pound', 'SYP', '£', 2),
  ('szl', 'Lilangeni', 'SZL', 'SZL', 2),
  ('thb', 'Baht', 'THB', '฿', 2),
  ('tjs', 'Somoni', 'TJS', 'TJS', 2),
  ('tmt', 'Turkmenistan New Manat', 'TMT', 'TMT', 2),
  ('tnd', 'Tunisian Dinar', 'TND', 'TND', 3),
  ('top', 'Pa’anga', 'TOP', 'T$', 2),
  ('try', 'Turkish Lira', 'TRY', '₺', 2),
  ('ttd', 'Trinidad and Tobago Dollar', 'TTD', '$', 2),
  ('twd', 'New Taiwan Dollar', 'TWD', '$', 2),
  ('tzs', 'Tanzanian Shilling', 'TZS', 'TZS', 2),
  ('uah', 'Hryvnia', 'UAH', '₴', 2),
  ('ugx', 'Uganda Shilling', 'UGX', 'UGX', 0),
  ('usd', 'US Dollar', 'USD', '$', 2),
  ('usn', 'US Dollar (Next day)', 'USN', 'USN', 2),
  ('uyi', 'Uruguay Peso en Unidades Indexadas (UI)', 'UYI', 'UYI', 0),
  ('uyu', 'Peso Uruguayo', 'UYU', '$', 2),
  ('uyw', 'Unidad Previsional', 'UYW', 'UYW', 4),
  ('uzs', 'Uzbekistan Sum', 'UZS', 'UZS', 2),
  ('ved', 'Bolívar Soberano', 'VED', 'VED', 2),
  ('ves', 'Bolívar Soberano', 'VES', 'VES', 2),
  ('vnd', 'Dong', 'VND', '₫', 0),
  ('vuv', 'Vatu', 'VUV', 'VUV', 0),
  ('wst', 'Tala', 'WST', 'WST', 2),
  ('xad', 'Arab Accounting Dinar', 'XAD', 'XAD', 2),
  ('xaf', 'CFA Franc BEAC', 'XAF', 'FCFA', 0),
  ('xag', 'Silver', 'XAG', 'XAG', 0),
  ('xau', 'Gold', 'XAU', 'XAU', 0),
  ('xba', 'Bond Markets Unit European Composite Unit (EURCO)', 'XBA', 'XBA', 0),
  ('xbb', 'Bond Markets Unit European Monetary Unit (E.M.U.-6)', 'XBB', 'XBB', 0),
  ('xbc', 'Bond Markets Unit European Unit of Account 9 (E.U.A.-9)', 'XBC', 'XBC', 0),
  ('xbd', 'Bond Markets Unit European Unit of Account 17 (E.U.A.-17)', 'XBD', 'XBD', 0),
  ('xcd', 'East Caribbean Dollar', 'XCD', '$', 2),
  ('xcg', 'Caribbean Guilder', 'XCG', 'Cg', 2),
  ('xdr', 'SDR (Special Drawing Right)', 'XDR', 'XDR', 0),
  ('xof', 'CFA Franc BCEAO', 'XOF', 'F CFA', 0),
  ('xpd', 'Palladium', 'XPD', 'XPD', 0),
  ('xpf', 'CFP Franc', 'XPF', 'CFPF', 0),
  ('xpt', 'Platinum', 'XPT', 'XPT', 0),
  ('xsu', 'Sucre', 'XSU', 'XSU', 0),
  ('xts', 'Codes specifically reserved for testing purposes', 'XTS', 'XTS', 0),
  ('xua', 'ADB Unit of Account', 'XUA', 'XUA', 0),
  ('xxx', 'The codes assigned for transactions where no currency is involved', 'XXX', '¤', 0),
  ('yer', 'Yemeni Rial', 'YER', 'YER', 2),
  ('zar', 'Rand', 'ZAR', 'R', 2),
  ('zmw', 'Zambian Kwacha', 'ZMW', 'ZK', 2),
  ('zwg', 'Zimbabwe Gold', 'ZWG', 'ZWG', 2);

create view currencies_wire with (security_invoker = true) as
select c.id, c.wire as json from currencies c;
grant select on currencies_wire to lading_app;

create table organizations (
  org_id uuid primary key,
  name text not null constraint organization_name_is_sensible check (length(name) between 1 and 200),
  -- What an organization says of itself, and the rules that it chose.
  address jsonb,
  home_currency_id text constraint organization_home_currency references currencies,
  -- A name that PostgreSQL does not know is an error of this expression.
  time_zone text not null default 'UTC'
    constraint organization_time_zone_is_known check ((timestamptz 'epoch' at time zone time_zone) is not null),
  require_exchange_rate boolean not null default false,
  -- Whether what has no address can be sent.
  require_send_address boolean not null default false,
  -- What an organization asks of whoever approves and pays.
  approvals text not null default 'off'
    constraint organization_approvals_are_on_or_off check (approvals in ('off', 'on')),
  approval_limit_amount bigint
    constraint organization_approval_limit_is_positive check (approval_limit_amount between 0 and 9007199254740991),
  forbid_self_approval boolean not null default false,
  separate_payer boolean not null default false,
  approval_reminder_days integer default 3
    constraint organization_reminders_are_sensible check (approval_reminder_days between 1 and 365),
  -- After which bill the open ones have still to be looked at again, because the rules changed; null where all have
  -- been.
  approvals_due_from uuid,
  duplicates text not null default 'warn'
    constraint organization_duplicates check (duplicates in ('off', 'warn', 'refuse')),
  -- How arrival times are estimated, from which delay on one is announced, and whether double bookings are refused.
  eta_detour_factor double precision not null default 1.25
    constraint organization_eta_detour_factor check (eta_detour_factor between 1 and 5),
  eta_average_speed_kmh double precision not null default 70
    constraint organization_eta_average_speed check (eta_average_speed_kmh between 1 and 200),
  eta_delay_limit_minutes integer not null default 30
    constraint organization_eta_delay_limit check (eta_delay_limit_minutes between 1 and 10080),
  double_booking text not null default 'off'
    constraint organization_double_booking_is_known check (double_booking in ('off', 'refuse')),
  -- For how many days who is new approves no payee and no payment run. A smaller number counts when as many days have
  -- passed as it was before.
  new_approver_days integer not null default 3
    constraint organization_new_approver_days check (new_approver_days between 0 and 30),
  new_approver_days_before integer,
  new_approver_days_set_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  revision integer not null default 1,
  constraint organization_that_requires_rates_has_a_home_currency
    check (not require_exchange_rate or home_currency_id is not null)
);
call keep_apart('organizations');
-- The owner of the schema may list organizations: the command line tool and the background work start from that list.
create policy listed_by_owner on organizations for select to current_user using (true);
grant select, insert, update on organizations to lading_app;

-- Numbers that people read count up per organization and kind of record; a transaction that fails takes its number
-- back.
create table counters (
  org_id uuid not null constraint counter_organization references organizations,
  name text not null,
  value integer not null,
  primary key (org_id, name)
);
call keep_apart('counters');
grant select, insert, update on counters to lading_app;
