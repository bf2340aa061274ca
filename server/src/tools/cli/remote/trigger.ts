import type { Command } from 'commander'
import { nearestTo } from '../../../platform/core/near-names.ts'
import { quote } from '../../../platform/core/refusal.ts'
import { type Json, print, withExample, withJson } from '../command.ts'
import type { Terminal } from '../terminal.ts'
import { helpOf, UsageError } from '../usage.ts'
import { apiAt } from './api.ts'
import { recipes } from './recipes.ts'
import { originOf, type SignIn, tokensFor, withSignIn } from './sign-in.ts'
import { whyNotTriggered } from './without-recipe.ts'

export function define(command: Command, terminal: Terminal): void {
  command
    .argument('<type>', 'the event that is to happen')
    .addHelpText(
      'after',
      `\nIt is really done, through the API: records are made for it, and stay. The types:\n${typeList()}`,
    )
  withExample(withJson(withSignIn(command)), 'lading trigger bill.paid').action(
    (type: string, options: Json & SignIn, self: Command) => trigger(terminal, type, options, self),
  )
}

async function trigger(terminal: Terminal, type: string, options: Json & SignIn, command: Command): Promise<void> {
  const recipe = recipes[type]
  if (!recipe) throw new UsageError(await refusalOf(type), helpOf(command))
  const api = apiAt(originOf(terminal, options), tokensFor(terminal, options, command))
  const done: string[] = []
  const id = await recipe((method, path, body) => {
    done.push(`${method} ${path}`)
    return api.call(method, path, body)
  })
  print(
    terminal,
    options,
    { type, subject_id: id, requests: done },
    `${type} happened to ${id}:\n${done.map((line) => `  ${line}`).join('\n')}`,
  )
}

/** Why it does not happen: a type that there is not, with the one that was meant, or one that is not done for a trial. */
async function refusalOf(type: string): Promise<string> {
  // Loaded here and not above: what is triggered needs none of it.
  const [{ documentKinds }, { eventNouns }] = await Promise.all([
    import('../../../books/kinds/kinds.ts'),
    import('../../../integrations/event-types.ts'),
  ])
  const near = nearestTo(type, Object.keys(recipes))
  const why =
    eventNouns(documentKinds).some(({ noun, verbs }) => verbs.some((verb) => type === `${noun}.${verb}`)) &&
    whyNotTriggered(type)
  if (why) return `${quote(type)} cannot be triggered: ${why}.`
  return `${quote(type)} is none of the events that can be triggered.${near === undefined ? '' : ` Did you mean ${quote(near)}?`}`
}

function typeList(): string {
  const nouns = Map.groupBy(Object.keys(recipes), (type) => type.slice(0, type.indexOf('.')))
  return [...nouns.values()].map((types) => `  ${types.join(', ')}`).join('\n')
}
