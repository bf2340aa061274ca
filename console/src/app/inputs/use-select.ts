import { type ChangeEvent, type FocusEvent, type KeyboardEvent, useEffect, useState } from 'react'
import { type Choice, rankChoices, rankOf } from './choices.ts'

export type SelectOptions = {
  choices: readonly Choice[]
  value: string | null
  onChange: (value: string | null, label: string | null) => void
  /** What the list calls having no value; null where a value is needed. */
  noneLabel: string | null
  fixed: boolean
  /** For choices that the server searches: the text to search for, null while the list is closed. */
  onSearch?: ((text: string | null) => void) | undefined
  /** The choices are not yet those for the typed text. */
  searching: boolean
}

/** The choice of having no value. */
export const none = ''

/**
 * How a select behaves. What is typed replaces nothing until a choice is taken with Enter, Tab or a click; Escape and leaving the field bring the old
 * choice back.
 */
export function useSelect({ choices, value, onChange, noneLabel, fixed, onSearch, searching }: SelectOptions) {
  const [opened, setOpened] = useState(false)
  const [typed, setTyped] = useState<string | null>(null)
  /** The highlighted place in the list; `byKey` if an arrow key put it there. */
  const [highlight, setHighlight] = useState({ at: -1, byKey: false })
  /** Enter or Tab was pressed before the server answered: the best match is taken once it has. */
  const [awaiting, setAwaiting] = useState(false)
  const offered = offeredFor(typed, choices, onSearch !== undefined && !searching, value === null ? null : noneLabel)
  const chosenAt = choices.findIndex((choice) => choice.value === value)

  const open = (at: number, byKey: boolean) => {
    if (!opened) onSearch?.('')
    setOpened(true)
    setHighlight({ at, byKey })
  }
  const restore = () => {
    setOpened(false)
    setTyped(null)
    setAwaiting(false)
    onSearch?.(null)
  }
  const take = (choice: Choice) => {
    restore()
    if (choice.value === none) onChange(null, null)
    else if (choice.value !== value) onChange(choice.value, choice.label)
  }
  const takeHighlighted = () => {
    const best = offered[highlight.at]
    const isTyped = typed !== null && typed.trim() !== ''
    if (best && (highlight.byKey || !searching || rankOf(best.label, typed ?? '') === 0)) take(best)
    else if (!isTyped) restore()
    else if (searching) {
      setAwaiting(true)
      setOpened(false)
    }
  }
  useEffect(() => {
    if (!awaiting || searching) return
    if (offered[0]) take(offered[0])
    else restore()
  })

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (fixed || event.nativeEvent.isComposing) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      if (!opened) open(Math.max(chosenAt, 0), true)
      else if (offered.length > 0)
        setHighlight({
          at: (Math.max(highlight.at, step > 0 ? -1 : 0) + step + offered.length) % offered.length,
          byKey: true,
        })
    }
    if (!opened) return
    if (event.key === 'Enter') event.preventDefault()
    if (event.key === 'Enter' || event.key === 'Tab') takeHighlighted()
    if (event.key === 'Escape') restore()
  }
  const onClick = (event: { currentTarget: HTMLInputElement }) => {
    if (fixed || typed !== null) return
    event.currentTarget.select()
    if (opened) restore()
    else open(chosenAt, false)
  }
  const onInput = (event: ChangeEvent<HTMLInputElement>) => {
    const text = event.currentTarget.value
    open(text.trim() === '' ? -1 : 0, false)
    setTyped(text)
    setAwaiting(false)
    onSearch?.(text.trim())
  }
  const onFocus = (event: FocusEvent<HTMLInputElement>) => event.currentTarget.select()
  const onBlur = () => void (awaiting || restore())
  return {
    opened,
    typed,
    offered,
    at: highlight.at,
    take,
    restore,
    handlers: { onKeyDown, onClick, onChange: onInput, onFocus, onBlur },
  }
}

/**
 * An emptied field offers to have no value, before all choices. The server finds records by more than their labels, so its answer is put in order
 * and nothing of it is left out.
 */
function offeredFor(
  typed: string | null,
  choices: readonly Choice[],
  isAnswer: boolean,
  noneLabel: string | null,
): readonly Choice[] {
  if (typed === null) return choices
  if (typed.trim() === '') return noneLabel === null ? choices : [{ value: none, label: noneLabel }, ...choices]
  const matching = rankChoices(choices, typed)
  return isAnswer ? [...matching, ...choices.filter((choice) => !matching.includes(choice))] : matching
}
