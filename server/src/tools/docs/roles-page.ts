import { type Right, rightNames, rights, rightsOfRole, roleNames } from '../../platform/access/roles.ts'

type Operation = { summary: string; 'x-right'?: Right | 'any'; 'x-access'?: 'read' | 'write' }
type Described = { paths: Record<string, Record<string, Operation>> }

/** docs/roles.md, from the table of roles and from what each operation declares. */
export function rolesPage({ paths }: Described): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, ...operation })),
  )
  const needing = (right: Right) => operations.filter((operation) => operation['x-right'] === right)
  const rows = rightNames.map(
    (right) =>
      `| \`${right}\` | ${rights[right]} | ${roleNames.map((role) => (rightsOfRole(role).has(right) ? 'yes' : '')).join(' | ')} |`,
  )
  const named = (['approve', 'pay', 'see_bank_details', 'use_portal', 'administer'] as const).flatMap((right) => [
    `### ${right}`,
    '',
    ...needing(right).map(lineOf),
    '',
  ])
  const readingPosts = operations.filter(
    (operation) => operation['x-access'] === 'read' && !operation.name.startsWith('GET '),
  )
  return `${[
    '# Roles',
    '',
    'Scopes say which records a token reaches. Roles say what its user may do with them. Both are needed.',
    '',
    `| right | allows | ${roleNames.join(' | ')} |`,
    `|---|---|${roleNames.map(() => '---|').join('')}`,
    ...rows,
    '',
    'Every operation needs one right; in the OpenAPI document it is `x-right`. What reads needs `read` and what writes needs `enter`, except for the operations below. A caller without the right gets 403 `right_required`, or `admin_required` where it is `administer`.',
    '',
    '- The right is needed for what a request does, whatever its address. `PUT` with `status_id: "paid"`, a row of a bulk request or of an import that is paid, and a statement that pays its bills all need `pay` too.',
    '- Changing a role takes effect at once, on every process, also for the tokens that are there.',
    '- An application that acts for itself (`client_credentials`) has no role: its scopes decide what it may do, and its `access` whether it may write. It has every right but `approve` and `use_portal`: only people decide, and an application gets 403 `person_required`.',
    '- `GET /api/v1/me` answers the `rights` of the caller, whatever their role: its `x-right` is `any`.',
    '- A `partner` belongs to one carrier and reaches `/api/v1/portal` alone, as does the signed link of a record. No other role, and no application, reaches it. Its tokens name the scope `partner_portal` alone.',
    '',
    '## Applications that may only read',
    '',
    'An application with `access: "read"` gets tokens that only read, for itself and for the people who sign in through it, whatever their role. In the OpenAPI document `x-access` says `read` or `write` for every operation; a write with such a token is a 403 `read_only_token`. These operations read although their method is POST:',
    '',
    ...readingPosts.map(lineOf),
    '',
    '## Operations that need another right than `read` or `enter`',
    '',
    ...named,
  ]
    .join('\n')
    .trimEnd()}\n`
}

function lineOf({ name, summary }: { name: string; summary: string }): string {
  return `- \`${name}\`: ${summary}`
}
