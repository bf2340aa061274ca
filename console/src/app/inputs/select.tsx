import { Box, Combobox, TextInput, type TextInputProps, useCombobox } from '@mantine/core'
import { useMergedRef } from '@mantine/hooks'
import { useEffect, useId, useRef, useState } from 'react'
import type { Choice } from './choices.ts'
import { none, type SelectOptions, useSelect } from './use-select.ts'

type InputProps = Omit<
  TextInputProps,
  'value' | 'onChange' | 'onFocus' | 'onBlur' | 'onKeyDown' | 'onClick' | 'rightSection' | 'rightSectionPointerEvents'
>

export type SelectProps = InputProps &
  Pick<SelectOptions, 'choices' | 'value' | 'onChange' | 'onSearch'> & {
    clearable?: boolean
    /** What the list calls having no value. */
    noneLabel?: string
    /** The label of the value, where it may not be among the choices. */
    valueLabel?: string | null
    nothingFoundMessage?: string
    searching?: boolean
  }

/** The one select of the console: its list opens when somebody types, presses an arrow key or clicks, never on focus alone. */
export function Select({ choices, value, onChange, onSearch, searching = false, ...props }: SelectProps) {
  const {
    clearable = false,
    noneLabel = 'None',
    valueLabel,
    nothingFoundMessage = 'Nothing found',
    readOnly,
    disabled,
    ref,
    ...input
  } = props
  const id = useId()
  const name = String(input.label ?? input['aria-label'] ?? '')
  const fixed = readOnly === true || disabled === true
  const select = useSelect({
    choices,
    value,
    onChange,
    onSearch,
    searching,
    fixed,
    noneLabel: clearable ? noneLabel : null,
  })
  const { opened, typed, offered, at, take, restore, handlers } = select
  const store = useCombobox({ opened, onOpenedChange: (next) => void (next || restore()) })
  const label = value === null ? '' : (choices.find((choice) => choice.value === value)?.label ?? valueLabel ?? value)
  const [position, setPosition] = useState<Position>('bottom-start')
  const element = useRef<HTMLInputElement>(null)
  const inputRef = useMergedRef(element, ref)
  const isTyping = typed !== null
  // What is typed next replaces the choice, also where its label arrived after the focus, or Escape brought it back.
  useEffect(() => {
    if (label && !isTyping && document.activeElement === element.current) element.current?.select()
  }, [label, isTyping])
  const clear = clearable && value !== null && !fixed && (
    <Combobox.ClearButton onClear={() => take({ value: none, label: '' })} aria-label={`Clear ${name.toLowerCase()}`} />
  )
  return (
    <Combobox
      store={store}
      keepMounted={false}
      position={position}
      preventPositionChangeWhenVisible={false}
      middlewares={{ flip: { fallbackPlacements: ['bottom-start', 'top-start'] }, shift: true }}
      onOptionSubmit={(next) => take(offered.find((choice) => choice.value === next) ?? { value: none, label: '' })}
    >
      {/* The list stands below the whole field, so that it does not cover the field's error and description. */}
      <Combobox.DropdownTarget>
        <Box
          miw={0}
          w="100%"
          style={{ alignSelf: 'start' }}
          onFocus={(event) => setPosition(positionFor(event.currentTarget))}
        >
          <TextInput
            autoComplete="off"
            // A short list needs no typing, so a phone shows no keyboard for it.
            {...(!onSearch && choices.length <= few && { inputMode: 'none' as const })}
            {...input}
            {...handlers}
            ref={inputRef}
            readOnly={readOnly === true}
            disabled={disabled === true}
            value={typed ?? label}
            rightSection={clear || <Combobox.Chevron error={input.error} />}
            rightSectionPointerEvents={clear ? 'all' : 'none'}
            role="combobox"
            aria-autocomplete="list"
            aria-haspopup="listbox"
            aria-expanded={opened}
            // Escape closes the list and not the dialog around it.
            {...(opened && { 'aria-controls': `${id}-list`, 'data-mantine-stop-propagation': true })}
            {...(opened && offered[at] && { 'aria-activedescendant': `${id}-${at}` })}
          />
        </Box>
      </Combobox.DropdownTarget>
      <Combobox.Dropdown>
        <List id={id} name={name} offered={offered} at={at} value={value} />
        {offered.length === 0 && (
          <Combobox.Empty role="status">{searching ? 'Searching …' : nothingFoundMessage}</Combobox.Empty>
        )}
      </Combobox.Dropdown>
    </Combobox>
  )
}

const few = 8

type Position = 'bottom-start' | 'right-start'

/** Below the field, which leaves the next one in its row free. Where the field is as wide as its dialog, the next one is below it, and next to the dialog there is nothing. */
function positionFor(field: HTMLElement): Position {
  const dialog = field.closest('[role=dialog]')
  return dialog && dialog.getBoundingClientRect().right - field.getBoundingClientRect().right < 40
    ? 'right-start'
    : 'bottom-start'
}

type ListProps = { id: string; name: string; offered: readonly Choice[]; at: number; value: string | null }

function List({ id, name, offered, at, value }: ListProps) {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => keepInView(element.current, at), [at])
  return (
    <Combobox.Options
      ref={element}
      id={`${id}-list`}
      aria-label={name}
      mah={220}
      pos="relative"
      style={{ overflowY: 'auto' }}
    >
      {offered.map((choice, index) => (
        <Combobox.Option
          key={choice.value}
          id={`${id}-${index}`}
          value={choice.value}
          selected={index === at}
          active={choice.value === value}
          aria-selected={choice.value === value}
          fw={choice.value === value ? 650 : 400}
        >
          {choice.label}
        </Combobox.Option>
      ))}
    </Combobox.Options>
  )
}

/** Scrolls the list, and nothing around it. */
function keepInView(list: HTMLElement | null, at: number): void {
  const option = list?.children[at]
  if (!list || !(option instanceof HTMLElement)) return
  const [top, bottom] = [option.offsetTop, option.offsetTop + option.offsetHeight]
  if (top < list.scrollTop) list.scrollTop = top
  else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight
}
