/** Writes what the SDK has from server/openapi.json, besides the types of openapi-typescript; with --check it only says whether the committed files are current. */
import { readFileSync, writeFileSync } from 'node:fs'
import { type Group, groupsOfMethods, type Method, named } from './methods.ts'
import { namesText } from './names.ts'

const root = groupsOfMethods()
keep('names.ts', namesText())
keep('methods/table.ts', tableText())
keep('methods/resources.ts', resourcesText())

function keep(name: string, text: string): void {
  const file = new URL(`../src/${name}`, import.meta.url)
  if (!process.argv.includes('--check')) writeFileSync(file, text)
  else if (readFileSync(file, 'utf8') !== text) {
    process.stderr.write(
      `sdk/src/${name} is not what server/openapi.json says. Run npm run generate and commit the result.\n`,
    )
    process.exitCode = 1
  }
}

function tableText(): string {
  return `/** Generated from server/openapi.json by npm run generate. How each method is called: calling.ts says what the words mean. */
import type { Table } from './calling.ts'

export const table: Table = ${tableOf(root, '')}
`
}

function tableOf({ methods, groups }: Group, indent: string): string {
  const lines = [
    ...methods.map(({ name, call }) => `${name}: '${call}'`),
    ...[...groups].map(([name, group]) => `${name}: ${tableOf(group, `${indent}  `)}`),
  ]
  return `{\n${lines.map((line) => `${indent}  ${line},\n`).join('')}${indent}}`
}

function resourcesText(): string {
  const interfaces = interfacesOf(root, '')
  return `/** Generated from server/openapi.json by npm run generate. */
import type { FollowedEvent, FollowOptions } from '../follow.ts'
import type {
${[...named]
  .toSorted((one, other) => (one < other ? -1 : 1))
  .map((name) => `  ${name},\n`)
  .join('')}} from '../names.ts'
import type { List } from './list.ts'
import type {
  AsCsv,
  AsOfOptions,
  CallOptions,
  ChangeOptions,
  Content,
  Form,
  KeyOptions,
  Revision,
  WriteOptions,
} from './options.ts'

${interfaces.join('\n\n')}
`
}

/** That of the group, and those of the groups inside. */
function interfacesOf({ methods, groups }: Group, name: string): string[] {
  const nameOf = (inner: string) => name.replace(/Methods$/, '') + inner.replace(/^./, (letter) => letter.toUpperCase())
  const members = [
    ...methods.map(memberOf),
    ...[...groups].map(([inner]) => `  readonly ${inner}: ${nameOf(inner)}Methods`),
  ]
  return [
    `export interface ${name || 'Methods'} {\n${members.join('\n')}\n}`,
    ...[...groups].flatMap(([inner, group]) => interfacesOf(group, `${nameOf(inner)}Methods`)),
  ]
}

function memberOf({ name, doc, signatures }: Method): string {
  return signatures.map((signature) => `  /** ${doc} */\n  ${name}${signature}`).join('\n')
}
