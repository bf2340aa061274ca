import { Button, Group, Modal, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'

type Unsaved = {
  /** Closes the form or the dialog: at once, or after the question. */
  close: (then: () => void) => void
  question: ReactNode
}

/**
 * Asks before typed input is lost: on links, the back button, closing the tab, and where the form itself is closed. `isUnsaved` is called at that
 * moment, so that typing draws nothing again. A page that saved its form goes on with `ignoreBlocker`.
 */
export function useUnsaved(isUnsaved: () => boolean): Unsaved {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && isUnsaved(),
    enableBeforeUnload: isUnsaved,
    withResolver: true,
  })
  const [closing, setClosing] = useState<(() => void) | null>(null)
  const close = (then: () => void) => (isUnsaved() ? setClosing(() => then) : then())
  const stay = () => {
    blocker.reset?.()
    setClosing(null)
  }
  const leave = () => {
    setClosing(null)
    if (closing) closing()
    else blocker.proceed?.()
  }
  const isAsking = closing !== null || blocker.status === 'blocked'
  return {
    close,
    question: isAsking ? <Question words={wordsFor(closing !== null)} stay={stay} leave={leave} /> : null,
  }
}

type Words = { title: string; text: string; stay: string; leave: string }

function wordsFor(isClosing: boolean): Words {
  return isClosing
    ? {
        title: 'Discard what you typed?',
        text: 'It is not saved. If you close this now, it is lost.',
        stay: 'Keep editing',
        leave: 'Discard',
      }
    : {
        title: 'Leave without saving?',
        text: 'Your changes are not saved. If you leave this page, they are lost.',
        stay: 'Stay on this page',
        leave: 'Leave without saving',
      }
}

function Question({ words, stay, leave }: { words: Words; stay: () => void; leave: () => void }) {
  return (
    <Modal opened onClose={stay} title={words.title}>
      <Text size="sm">{words.text}</Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={stay} data-autofocus>
          {words.stay}
        </Button>
        <Button color="red.9" onClick={leave}>
          {words.leave}
        </Button>
      </Group>
    </Modal>
  )
}
