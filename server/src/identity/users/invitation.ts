import type { FastifyInstance } from 'fastify'
import { Refusal } from '../../platform/core/refusal.ts'
import type { Database } from '../../platform/db/database.ts'
import { html, note, notice, type Page, raw, sendPage } from '../../platform/pages/layout.ts'
import type { Settings } from '../../settings.ts'
import { acceptForms } from '../pages/forms.ts'
import { passwordHint, shortestPassword } from '../passwords/password-rules.ts'
import {
  acceptInvitation,
  chooseAccount,
  existingAccount,
  findInvitation,
  type InvitedUser,
  type JoiningPerson,
} from './invitations.ts'

type Parts = { settings: Settings; database: Database; clock: () => Date }
type Form = { password?: string; account?: string }

/**
 * Accepting an invitation: with a new password, or with the one of an account that has the same address. Both are offered to everyone: who holds
 * the link, such as the admin who made it, does not learn whether there is such an account.
 */
export async function invitations(app: FastifyInstance, { settings, database, clock }: Parts): Promise<void> {
  acceptForms(app, settings)
  const schema = { hide: true }

  app.get<{ Params: { token: string } }>('/invitation/:token', { schema }, async ({ params: { token } }, reply) => {
    const invited = await findInvitation(database, token)
    return sendPage(reply, invited ? invitationPage(token, invited) : voidPage)
  })

  app.post<{ Params: { token: string }; Body: Form }>(
    '/invitation/:token',
    { schema },
    async ({ params: { token }, body: { password = '', account } }, reply) => {
      const invited = await findInvitation(database, token)
      if (!invited) return sendPage(reply, voidPage)
      try {
        const joinsAs =
          account === 'existing'
            ? await withAccount(invited, password)
            : await chooseAccount(database, invited, password, clock())
        return sendPage(
          reply,
          (await acceptInvitation(database, token, invited, joinsAs)) ? welcomePage(invited) : voidPage,
        )
      } catch (error) {
        if (error instanceof Refusal && error.kind !== 'unavailable')
          return sendPage(reply, {
            ...invitationPage(token, invited, { text: error.message, existing: account === 'existing' }),
            status: error.kind === 'too_many' ? 429 : 400,
            headers: { ...error.headers },
          })
        throw error
      }
    },
  )

  async function withAccount(invited: InvitedUser, password: string): Promise<JoiningPerson> {
    const account = await existingAccount(database, invited, password, clock())
    if (!account)
      throw new Refusal(
        'invalid',
        'wrong_password',
        'There is no account with this address and password. Choose a new password instead.',
      )
    return account
  }
}

function invitationPage(
  token: string,
  { organization, email }: InvitedUser,
  problem?: { text: string; existing: boolean },
): Page {
  return {
    title: 'Join',
    body: html`<section class="card"><h1 ${organization.length > 60 && raw('class="long"')}>Join ${organization}</h1>
<p class="lead">You were invited to this organization. Choose a password to sign in with.</p>
${problem && !problem.existing && note('bad', problem.text)}
<form method="post" action="/invitation/${token}">
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" value="${email}" autocomplete="username" readonly>
<label for="password">New password</label>
<input id="password" name="password" type="password" autocomplete="new-password" aria-describedby="hint" required minlength="${shortestPassword}" maxlength="1024" ${!problem?.existing && raw('autofocus')}>
<p class="hint" id="hint">${passwordHint}</p>
<button class="full">Join</button></form></section>
<section class="card"><h2>Do you have an account already?</h2>
<p class="soft small">If you already sign in to Lading with this address, enter that password. You then use one account for both organizations.</p>
${problem?.existing && note('bad', problem.text)}
<form method="post" action="/invitation/${token}"><input type="email" value="${email}" autocomplete="username" readonly hidden><input type="hidden" name="account" value="existing">
<label for="existing">Password of your account</label>
<input id="existing" name="password" type="password" autocomplete="current-password" required maxlength="1024" ${problem?.existing && raw('autofocus')}>
<button class="full plain">Join with this account</button></form></section>`,
  }
}

function welcomePage({ organization }: InvitedUser): Page {
  return {
    title: 'Welcome',
    body: notice(
      `Welcome to ${organization}`,
      html`<p class="lead">You can sign in now.</p><a class="button full" href="/sign-in">Sign in</a>`,
      'good',
    ),
  }
}

const voidPage: Page = {
  title: 'This invitation is not valid',
  status: 404,
  body: notice(
    'This invitation is not valid',
    html`<p>It was already used, has expired, or was replaced by a newer one. Ask the person who invited you for a new invitation.</p>`,
    'bad',
  ),
}
