import type { FastifyInstance } from 'fastify'
import { Refusal } from '../../core/refusal.ts'
import type { Database } from '../../db/database.ts'
import type { Settings } from '../../settings.ts'
import { hashPassword, requireGoodPassword } from '../passwords.ts'
import { ownsAccount } from '../people.ts'
import { acceptInvitation, findInvitation, type Invitation } from '../users/invitations.ts'
import { acceptForms } from './forms.ts'
import { html, note, notice, type Page, raw, sendPage } from './layout.ts'

/** Accepting an invitation: a new person chooses a password, one who has an account signs in with it. */
export async function invitations(app: FastifyInstance, { settings, database }: { settings: Settings; database: Database }): Promise<void> {
  acceptForms(app, settings)
  const schema = { hide: true }

  app.get<{ Params: { token: string } }>('/invitation/:token', { schema }, async ({ params: { token } }, reply) => {
    const invitation = await findInvitation(database, token)
    return sendPage(reply, invitation ? invitationPage(token, invitation) : voidPage)
  })

  app.post<{ Params: { token: string }; Body: { password?: string } }>(
    '/invitation/:token',
    { schema },
    async ({ params: { token }, body: { password = '' }, ip }, reply) => {
      const invitation = await findInvitation(database, token)
      if (!invitation) return sendPage(reply, voidPage)
      try {
        const accepted = invitation.hasPassword
          ? await acceptWithAccount(token, invitation, password, ip)
          : await acceptWithNewPassword(token, invitation, password)
        return sendPage(reply, accepted ? welcomePage(invitation) : voidPage)
      } catch (error) {
        if (error instanceof Refusal && error.kind !== 'unavailable')
          return sendPage(reply, {
            ...invitationPage(token, invitation, error.message),
            status: error.kind === 'too_many' ? 429 : 400,
            headers: { ...error.headers },
          })
        throw error
      }
    },
  )

  async function acceptWithNewPassword(token: string, invitation: Invitation, password: string): Promise<boolean> {
    requireGoodPassword(password)
    return acceptInvitation(database, token, invitation, await hashPassword(password))
  }

  async function acceptWithAccount(token: string, invitation: Invitation, password: string, address: string): Promise<boolean> {
    if (!(await ownsAccount(database, { account: invitation.email, address }, password)))
      throw new Refusal('invalid', 'wrong_password', 'The password is wrong.')
    return acceptInvitation(database, token, invitation, null)
  }
}

function invitationPage(token: string, { organization, email, hasPassword }: Invitation, problem?: string): Page {
  return {
    title: 'Join',
    body: html`<section class="card"><h1 ${organization.length > 60 && raw('class="long"')}>Join ${organization}</h1>
<p class="lead">You were invited to this organization. ${hasPassword ? 'You already have an account. Enter its password.' : 'Choose a password for your new account.'}</p>
${problem && note('bad', problem)}
<form method="post" action="/invitation/${token}">
<label for="email">E-mail address</label>
<input id="email" type="email" value="${email}" autocomplete="username" readonly>
<label for="password">${hasPassword ? 'Your password' : 'New password'}</label>
${hasPassword ? currentPassword : newPassword}
<button class="full">Join</button></form></section>`,
  }
}

const currentPassword = html`<input id="password" name="password" type="password" autocomplete="current-password" required maxlength="1024" autofocus>`
const newPassword = html`<input id="password" name="password" type="password" autocomplete="new-password" aria-describedby="hint" required minlength="10" maxlength="1024" autofocus>
<p class="hint" id="hint">At least 10 characters.</p>`

function welcomePage({ organization }: Invitation): Page {
  return {
    title: 'Welcome',
    body: notice(`Welcome to ${organization}`, html`<p class="lead">You can sign in now.</p><a class="button full" href="/sign-in">Sign in</a>`, 'good'),
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
