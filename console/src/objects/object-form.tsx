import { Alert, Button, Group, SimpleGrid } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Problem } from '../api/problem.ts'
import { Panel } from '../parts/panel.tsx'
import { showFirstError } from '../parts/show-first-error.ts'
import { useMoney } from './amounts.ts'
import { type Draft, draftOf, draftsOf, type Faults, hasMoney, same, valueIn } from './draft.ts'
import { faultsIn } from './faults.ts'
import { FieldInput } from './field-input.tsx'
import { currencyField, type Field, type Fields, type Kind, type PlatformObject, sharedFields } from './kind.ts'
import { UnsavedDialog } from './unsaved-dialog.tsx'

type ObjectFormProps = {
  kind: Kind
  /** The object as the server has it; none when it is to be made. */
  object: PlatformObject | null
  submitLabel: string
  save: (json: Fields, base: PlatformObject | null) => Promise<PlatformObject>
  /** Reads the object anew, when someone else was faster. */
  reload?: () => Promise<PlatformObject>
  /** Told whether something was typed that is not saved. */
  onTouched?: (touched: boolean) => void
  others?: ReactNode
}

type Trouble = { title: string; words: string; stale?: boolean } | null

export function ObjectForm({ kind, object, submitLabel, save, reload, onTouched, others }: ObjectFormProps) {
  const fields = [...kind.fields, ...sharedFields(kind)]
  const moneyIn = useMoney(kind)
  const start = (from: PlatformObject | null) => draftsOf(fields, from ?? { status: kind.statuses[0] }, moneyIn(from ?? {}).digits)
  const [base, setBase] = useState(object)
  const [drafts, setDrafts] = useState(() => start(object))
  const [faults, setFaults] = useState<Faults>({})
  const [trouble, setTrouble] = useState<Trouble>(null)
  const [saving, setSaving] = useState(false)
  const element = useRef<HTMLFormElement>(null)
  const goesOn = useRef(false)
  const currency = currencyField(kind)
  const money = moneyIn(currency ? { [currency.key]: drafts[currency.key] } : {})
  const before = start(base)
  const touched = fields.filter(({ key }) => !same(drafts[key], before[key]))
  const isTouched = touched.length > 0

  useEffect(() => onTouched?.(isTouched), [onTouched, isTouched])

  /** Starts from what the server has now; what was typed and not saved stays. */
  const rebase = (next: PlatformObject) => {
    const theirs = start(next)
    setDrafts(Object.fromEntries(fields.map(({ key }) => [key, touched.some((field) => field.key === key) ? (drafts[key] as Draft) : (theirs[key] as Draft)])))
    setBase(next)
  }

  // What came from the server meanwhile is shown at once where nobody is typing.
  useEffect(() => {
    if (object && base && object.version > base.version && !isTouched && !saving) rebase(object)
  })

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const wrong: Faults = {}
    const moneyMoved = money.digits !== moneyIn(base ?? {}).digits
    const sent = fields.filter((field) => touched.includes(field) || !base || (moneyMoved && hasMoney(field)))
    const values = sent.map((field) => [field.key, valueIn(field, drafts[field.key], field.key, money.digits, wrong)] as const)
    for (const { key, name, required } of fields)
      if (required && values.some(([sentKey, value]) => sentKey === key && value === null)) wrong[key] = `${name} is required.`
    setFaults(wrong)
    setTrouble(null)
    if (Object.keys(wrong).length > 0) return showFirstError(element.current)
    setSaving(true)
    goesOn.current = true
    try {
      const saved = await save(Object.fromEntries(base ? values : values.filter(([, value]) => value !== null)), base)
      setBase(saved)
      setDrafts(start(saved))
    } catch (error) {
      const { faults, rest } = faultsIn(error, fields)
      setFaults(faults)
      setTrouble(troubleOf(error, rest))
      showFirstError(element.current)
    } finally {
      setSaving(false)
      goesOn.current = false
    }
  }

  const loadTheirs = async () => {
    if (!reload || !base) return
    const theirs = await reload()
    const both = touched.filter((field) => !same(before[field.key], draftOf(field, theirs[field.key], moneyIn(theirs).digits))).map(({ name }) => name)
    rebase(theirs)
    setTrouble({
      title: 'Their changes are loaded, yours are kept',
      words:
        both.length > 0 ? `You both changed: ${both.join(', ')}. Here stands what you typed; saving puts it in place of theirs.` : 'Save when you are ready.',
    })
  }

  const input = (field: Field) => (
    <FieldInput
      key={field.key}
      field={field}
      path={field.key}
      value={drafts[field.key] ?? draftOf(field, null, 0)}
      onChange={(next) => setDrafts((drafts) => ({ ...drafts, [field.key]: next }))}
      faults={faults}
      money={money}
    />
  )
  return (
    <form ref={element} onSubmit={submit} noValidate>
      {trouble && (
        <Alert variant="default" icon={<IconAlertTriangle aria-hidden />} mb="lg" role="alert" title={trouble.title}>
          {trouble.words}
          {trouble.stale && reload && (
            <Button mt="sm" size="xs" variant="default" display="block" onClick={() => void loadTheirs()}>
              Load their changes, keep mine
            </Button>
          )}
        </Alert>
      )}
      <Panel title="Details">
        <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>{kind.fields.filter((field) => !isLarge(field)).map(input)}</SimpleGrid>
      </Panel>
      {kind.fields.filter(isLarge).map((field) => (
        <Panel key={field.key} title={field.required ? `${field.name} *` : field.name} lead={field.description}>
          {input(field)}
        </Panel>
      ))}
      <Panel title="Record">
        <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>{sharedFields(kind).map(input)}</SimpleGrid>
      </Panel>
      <Group>
        <Button type="submit" loading={saving} disabled={base !== null && !isTouched}>
          {submitLabel}
        </Button>
        {base && isTouched && (
          <Button
            variant="default"
            onClick={() => {
              setDrafts(before)
              setFaults({})
              setTrouble(null)
            }}
          >
            Discard changes
          </Button>
        )}
        {others}
      </Group>
      <UnsavedDialog unsaved={isTouched} goesOn={goesOn} />
    </form>
  )
}

/** Addresses and lists get a part of the page to themselves. */
function isLarge({ type, items }: Field): boolean {
  return type === 'address' || (type === 'list' && !(items && 'type' in items && items.type === 'text'))
}

function troubleOf(error: unknown, rest: string | null): Trouble {
  if (error instanceof Problem && error.status === 412)
    return { title: 'Someone else has changed this meanwhile', words: 'Nothing was saved, and nothing you typed is lost.', stale: true }
  return rest ? { title: 'Not saved', words: rest } : null
}
