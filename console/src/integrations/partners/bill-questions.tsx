import { Button, Group, Paper, Stack, Text, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useMe } from '../../app/api/me.ts'
import { Failed } from '../../app/parts/failed.tsx'
import { Panel } from '../../app/parts/panel.tsx'
import { StateBadge } from '../../app/parts/state-badge.tsx'
import { timeOf } from '../../app/values/dates.ts'
import { type Question, questionsOfBillQuery, useAnswer, useCloseQuestion } from './queries.ts'
import { ShareLink } from './share-link.tsx'
import { questionTones, questionWords } from './words.ts'

type Asked = { id: string; partner_carrier_id: string | null; status_id: string; voided_at: string | null }

/** What carriers ask about a bill, with a form for the answer; and a link to the bill. Nothing where carriers cannot see it. */
export function BillQuestions({ bill }: { bill: Asked }) {
  const { may } = useMe()
  const isShown = bill.partner_carrier_id !== null && bill.status_id !== 'draft' && bill.voided_at === null
  const { data: questions = [] } = useQuery({ ...questionsOfBillQuery(bill.id), enabled: isShown })
  if (!isShown) return null
  return (
    <Panel title="Questions of the carrier" actions={may('enter') && <ShareLink record={{ bill_id: bill.id }} />}>
      {questions.length === 0 && (
        <Text size="sm" c="dimmed">
          The carrier has asked nothing.
        </Text>
      )}
      {questions.map((question) => (
        <Thread key={question.id} question={question} mayAnswer={may('enter')} />
      ))}
    </Panel>
  )
}

function Thread({ question, mayAnswer }: { question: Question; mayAnswer: boolean }) {
  const [text, setText] = useState('')
  const answer = useAnswer(question)
  const close = useCloseQuestion(question)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim()) answer.mutate(text.trim(), { onSuccess: () => setText('') })
  }
  const failure = answer.error ?? close.error
  return (
    <Stack gap="sm" mb="md">
      <div>
        <StateBadge words={questionWords[question.state]} tone={questionTones[question.state]} />
      </div>
      {question.messages.map(({ side, author_name, text, created_at }) => (
        <Paper key={created_at + text} withBorder p="sm" ml={side === 'organization' ? 'xl' : 0}>
          <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
            {text}
          </Text>
          <Text size="xs" c="dimmed">
            {author_name}, {timeOf(created_at)}
          </Text>
        </Paper>
      ))}
      {mayAnswer && (
        <form onSubmit={submit} aria-label="Answer the carrier">
          <Textarea
            label="Answer"
            maxLength={4000}
            autosize
            minRows={2}
            value={text}
            onChange={({ currentTarget: { value } }) => setText(value)}
          />
          {failure ? <Failed error={failure} /> : null}
          <Group gap="xs" mt="sm">
            <Button type="submit" loading={answer.isPending} disabled={!text.trim()}>
              Answer
            </Button>
            {question.state !== 'closed' && (
              <Button variant="default" loading={close.isPending} onClick={() => close.mutate(undefined)}>
                Close without an answer
              </Button>
            )}
          </Group>
        </form>
      )}
    </Stack>
  )
}
