import type { FastifyInstance } from 'fastify'
import { Refusal } from '../../core/refusal.ts'
import type { Database } from '../../db/database.ts'
import type { Settings } from '../../settings.ts'
import { hashPassword, requireGoodPassword } from '../passwords.ts'
import { ownsAccount } from '../people.ts'
import { acceptInvitation, findInvitation, type Invitation } from '../users/invitations.ts'
import { acceptForms } from './forms.ts'
import { html, type Page, sendPage } from './layout.ts'

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
          return sendPage(reply, { ...invitationPage(token, invitation, error.message), headers: { ...error.headers } })
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
    status: problem ? 400 : 200,
    body: html`<section class="card"><h1>Join ${organization}</h1>
<p class="soft">${hasPassword ? html`Sign in as ${email} to accept the invitation.` : html`Choose a password for ${email}.`}</p>
${problem && html`<p class="note bad" role="alert">${problem}</p>`}
<form method="post" action="/invitation/${token}">
<label for="password">${hasPassword ? 'Your password' : 'New password (at least 10 characters)'}</label>
<input id="password" name="password" type="password" autocomplete="${hasPassword ? 'current-password' : 'new-password'}" required maxlength="1024" autofocus>
<button class="full">Join ${organization}</button></form></section>`,
  }
}

function welcomePage({ organization }: Invitation): Page {
  return { title: 'Welcome', body: html`<section class="card"><h1>Welcome to ${organization}</h1><p>You can <a href="/sign-in">sign in</a> now.</p></section>` }
}

const voidPage: Page = {
  title: 'This invitation is void',
  status: 404,
  body: html`<section class="card"><h1>This invitation is void</h1><p>It was used already, has expired, or was replaced by a newer one. Ask whoever invited you for another.</p></section>`,
}
