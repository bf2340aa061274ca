import type { FastifyInstance } from 'fastify'
import { Refusal } from '../../platform/core/refusal.ts'
import type { Database } from '../../platform/db/database.ts'
import { html, note, notice, type Page, raw, sendPage } from '../../platform/pages/layout.ts'
import type { Settings } from '../../settings.ts'
import { acceptForms } from '../pages/forms.ts'
import { passwordHint, shortestPassword } from '../passwords/password-rules.ts'
import type { Owner } from '../people/people.ts'
import { askForReset, findByResetToken, resetPassword } from './password-resets.ts'

type Parts = { settings: Settings; database: Database; cookieKey: string; clock: () => Date }
type Form = { email?: string; password?: string }

/** For who forgot their password: a link by mail, and the page behind it. Whether there is an account is said to nobody. */
export async function passwordResets(
  app: FastifyInstance,
  { settings, database, cookieKey, clock }: Parts,
): Promise<void> {
  acceptForms(app, settings)
  const schema = { hide: true }

  app.get('/forgot-password', { schema }, async (_request, reply) => sendPage(reply, askPage()))

  app.post<{ Body: Form }>('/forgot-password', { schema }, async ({ body: { email = '' }, ip }, reply) => {
    try {
      await askForReset(database, { email, address: ip, at: clock(), authUrl: settings.authUrl, cookieKey })
      return sendPage(reply, askedPage(email))
    } catch (error) {
      if (!(error instanceof Refusal && error.kind === 'too_many')) throw error
      return sendPage(reply, {
        ...askPage('Too many links were asked for. Try again later.'),
        status: 429,
        headers: { ...error.headers },
      })
    }
  })

  app.get<{ Params: { token: string } }>('/password-reset/:token', { schema }, async ({ params: { token } }, reply) => {
    const owner = await findByResetToken(database, cookieKey, token, clock())
    return sendPage(reply, owner ? resetPage(token, owner) : voidPage)
  })

  app.post<{ Params: { token: string }; Body: Form }>(
    '/password-reset/:token',
    { schema },
    async ({ params: { token }, body: { password = '' } }, reply) => {
      const owner = await findByResetToken(database, cookieKey, token, clock())
      if (!owner) return sendPage(reply, voidPage)
      try {
        return sendPage(reply, (await resetPassword(database, owner, password)) ? donePage : voidPage)
      } catch (error) {
        if (!(error instanceof Refusal) || error.kind === 'unavailable') throw error
        return sendPage(reply, { ...resetPage(token, owner, error.message), status: 400 })
      }
    },
  )
}

function askPage(problem?: string): Page {
  return {
    title: 'Forgot your password?',
    body: html`<section class="card"><h1>Forgot your password?</h1>
<p class="lead">Enter your e-mail address. If there is an account with it, you get a mail with a link to choose a new password.</p>
${problem && note('bad', problem)}
<form method="post" action="/forgot-password">
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" autocomplete="username" autocapitalize="none" spellcheck="false" required maxlength="254" autofocus>
<button class="full">Send the link</button></form>
<p class="foot"><a href="/sign-in">Back to signing in</a></p></section>`,
  }
}

function askedPage(email: string): Page {
  return {
    title: 'Look at your mail',
    body: notice(
      'Look at your mail',
      html`<p>If there is an account with ${email}, a mail with a link is on its way. The link works for an hour.</p><p>No mail? Look in the spam folder, or ask an admin of your organization.</p>`,
      'good',
    ),
  }
}

function resetPage(token: string, { email }: Owner, problem?: string): Page {
  return {
    title: 'Choose a new password',
    body: html`<section class="card"><h1>Choose a new password</h1>
<p class="lead">You are signed out everywhere, and sign in with this password from now on.</p>
${problem && note('bad', problem)}
<form method="post" action="/password-reset/${token}">
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" value="${email}" autocomplete="username" readonly>
<label for="password">New password</label>
<input id="password" name="password" type="password" autocomplete="new-password" aria-describedby="hint" required minlength="${shortestPassword}" maxlength="1024" autofocus ${problem && raw('aria-invalid="true"')}>
<p class="hint" id="hint">${passwordHint}</p>
<button class="full">Change the password</button></form></section>`,
  }
}

const donePage: Page = {
  title: 'Your password was changed',
  body: notice(
    'Your password was changed',
    html`<p class="lead">You can sign in with it now.</p><a class="button full" href="/sign-in">Sign in</a>`,
    'good',
  ),
}

const voidPage: Page = {
  title: 'This link is not valid',
  status: 404,
  body: notice(
    'This link is not valid',
    html`<p>It was already used, or is older than an hour.</p><a class="button full" href="/forgot-password">Ask for a new one</a>`,
    'bad',
  ),
}
