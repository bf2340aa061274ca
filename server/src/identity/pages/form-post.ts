import { createHash } from 'node:crypto'
import { html, notice, type Page, raw } from '../../platform/pages/layout.ts'

const script = 'document.forms[0].submit()'
const scriptHash = createHash('sha256').update(script).digest('base64')

type Fields = Readonly<Record<string, unknown>>

/** Hands the answer of an authorization request to the application, as a form that sends itself; without JavaScript the person does. */
export function formPostPage(action: string, fields: Fields): Page {
  const { origin } = new URL(action)
  return {
    ...selfSending('Back to the application', `You return to ${origin}.`, { action, fields, leadsTo: origin }),
    status: 'error' in fields ? 400 : 200,
  }
}

/** Somebody was signed in, and now signs in as somebody else: the session of the first has to end before. */
export function otherPersonPage(action: string, fields: Fields, returnTo: string): Page {
  return selfSending('Sign in as someone else', 'The person who was signed in before is signed out of this browser.', {
    action,
    fields,
    leadsTo: returnTo,
  })
}

function selfSending(
  title: string,
  lead: string,
  { action, fields, leadsTo }: { action: string; fields: Fields; leadsTo: string },
): Page {
  return {
    title,
    leadsTo,
    script: `'sha256-${scriptHash}'`,
    body: notice(
      title,
      html`<p class="lead">${lead}</p>
<form method="post" action="${action}">
${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${String(value)}">`)}
<button class="full">Continue</button>
</form><script>${raw(script)}</script>`,
    ),
  }
}
