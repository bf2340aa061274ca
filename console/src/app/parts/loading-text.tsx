import { Skeleton, VisuallyHidden } from '@mantine/core'

/** In the place of a word or a number that is not read yet. */
export function LoadingText({ width = '6em' }: { width?: string }) {
  return (
    <>
      <Skeleton component="span" display="inline-block" width={width} height="0.8em" aria-hidden />
      <VisuallyHidden>Loading</VisuallyHidden>
    </>
  )
}
