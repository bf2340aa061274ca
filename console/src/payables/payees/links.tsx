import { Anchor } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { wordsFor } from '../../app/api/problem.ts'
import { contentQuery } from '../../app/files/queries.ts'
import { LoadingText } from '../../app/parts/loading-text.tsx'
import { saveFile } from '../../app/values/save-file.ts'
import { noticeQuery, payeeQuery } from './queries.ts'

/** The name of a payee, which leads to its page. */
export function PayeeLink({ id }: { id: string }) {
  const { data, error } = useQuery(payeeQuery(id))
  if (!data) return error ? 'a deleted payee' : <LoadingText />
  return (
    <Anchor size="sm" underline="always" renderRoot={(props) => <Link to={`/payees/${id}`} {...props} />}>
      {data.name}
    </Anchor>
  )
}

/** The file of a notice of assignment, which is downloaded by a click. */
export function NoticeLink({ id }: { id: string }) {
  const queryClient = useQueryClient()
  const { data: document, error } = useQuery(noticeQuery(id))
  if (!document) return error ? 'a deleted document' : <LoadingText />
  const download = async () => {
    try {
      saveFile(await queryClient.fetchQuery(contentQuery(document)), document.file_name)
    } catch (error) {
      notifications.show({
        title: `Could not download ${document.file_name}`,
        message: wordsFor(error),
        color: 'red.9',
      })
    }
  }
  return (
    <Anchor component="button" type="button" size="sm" ta="left" underline="always" onClick={() => void download()}>
      {document.file_name}
    </Anchor>
  )
}
