import { Marked, type Tokens } from 'marked'
import { html, raw } from '../../platform/pages/layout.ts'
import type { Guide } from './guides.ts'

/** Headings get an address, and links between files of docs/ become links between pages; a file that is not served stays a word. */
export function render(text: string, guides: readonly Guide[]): string {
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth }: Tokens.Heading) {
        const inner = this.parser.parseInline(tokens)
        return `<h${depth} id="${slugOf(inner)}">${inner}</h${depth}>\n`
      },
      link({ href, tokens }: Tokens.Link) {
        const inner = labelOf(this.parser.parseInline(tokens), guides)
        const to = addressOf(href, guides)
        return to === null ? inner : html`<a href="${to}">${raw(inner)}</a>`.html
      },
      image: ({ href, text }: Tokens.Image) => html`<img src="/docs/${href}" alt="${text}">`.html,
      // A wide table or a long line scrolls by itself, by keyboard too.
      code: ({ text }: Tokens.Code) => html`<pre tabindex="0"><code>${text}\n</code></pre>\n`.html,
      table({ header, rows }: Tokens.Table) {
        const inner = ({ tokens }: Tokens.TableCell) => this.parser.parseInline(tokens)
        // A cell without words heads nothing.
        const head = header
          .map((cell) => (cell.text === '' ? '<td></td>' : `<th scope="col">${inner(cell)}</th>`))
          .join('')
        // Each code of an error has an address, which the refusals name.
        const idOf = (code: string) => (header[0]?.text === 'code' ? ` id="${code.replaceAll('`', '')}"` : '')
        const body = rows
          .map(
            (cells) =>
              `<tr${idOf(cells[0]?.text ?? '')}>${cells.map((cell) => `<td>${inner(cell)}</td>`).join('')}</tr>`,
          )
          .join('')
        const thead = header.every(({ text }) => text === '') ? '' : `<thead><tr>${head}</tr></thead>`
        return `<div class="wide" tabindex="0"><table>${thead}<tbody>${body}</tbody></table></div>\n`
      },
    },
  })
  return marked.parse(text, { async: false })
}

function addressOf(href: string, guides: readonly Guide[]): string | null {
  if (/^(?:https?:|#|\/)/.test(href)) return href
  const [, name = '', hash = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? []
  return guides.some((guide) => guide.name === name) ? `/docs/${name}${hash}` : null
}

/** Where a link says the name of a file, a page says what the navigation calls it. */
function labelOf(inner: string, guides: readonly Guide[]): string {
  return guides.find(({ name }) => inner === `${name}.md`)?.label ?? inner
}

/** As the places that show Markdown make them, so that links to parts of a page work in both. */
function slugOf(inner: string): string {
  return inner
    .replace(/<[^>]*>|&[#\w]+;/g, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
}
