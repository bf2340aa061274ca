import { pagesOf, recordsOf } from '../paging.ts'

/**
 * A search. `await` it for one page as it is answered, with the `total`; `for await` goes through all that is found, page by page, and `pages()` through the
 * pages. Nothing is asked before.
 */
export interface List<Page, Item> extends Promise<Page>, AsyncIterable<Item> {
  pages(): AsyncIterable<Page>
}

/** `ask` gets the page that is asked for. */
export function listOf(ask: (asked: object) => Promise<object>, asked: object): List<object, unknown> {
  let page: Promise<object> | undefined
  const once = () => {
    page ??= ask(asked)
    return page
  }
  return {
    // biome-ignore lint/suspicious/noThenProperty: what is awaited is the page.
    then: (...handlers) => once().then(...handlers),
    catch: (handler) => once().catch(handler),
    finally: (handler) => once().finally(handler),
    [Symbol.toStringTag]: 'List',
    pages: () => pagesOf(ask, asked),
    async *[Symbol.asyncIterator]() {
      for await (const page of pagesOf(ask, asked)) yield* recordsOf(page)
    },
  }
}
