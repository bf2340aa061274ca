import type { Refusal } from '../../platform/core/refusal.ts'
import { html, note, type Page, raw } from '../../platform/pages/layout.ts'
import { passwordHint, shortestPassword } from '../passwords/password-rules.ts'

export type FirstPasswordForm = {
  action: string
  email: string
  organization: string
  ticket: string
  problem?: Refusal
  returnTo?: string
}

/** After signing in with a password that an admin made up. */
export function firstPasswordPage({ action, email, organization, ticket, problem, returnTo }: FirstPasswordForm): Page {
  const wrong = problem && raw('aria-invalid="true"')
  return {
    title: 'Choose a password',
    status: problem ? (problem.kind === 'too_many' ? 429 : 400) : 200,
    ...(problem && { headers: { ...problem.headers } }),
    ...(returnTo && { leadsTo: returnTo }),
    body: html`<section class="card"><h1>Choose your own password</h1>
<p class="lead">The password that you were given for <strong>${organization}</strong> works only once. From now on you sign in with the one that you choose here.</p>
${problem && note('bad', problem.message)}
<form method="post" action="${action}"><input type="hidden" name="ticket" value="${ticket}">
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" value="${email}" autocomplete="username" readonly>
<label for="password">New password</label>
<input id="password" name="password" type="password" autocomplete="new-password" aria-describedby="hint" required minlength="${shortestPassword}" maxlength="1024" autofocus ${wrong}>
<p class="hint" id="hint">${passwordHint} If you already have a Lading account with this address, enter its password to use it here too.</p>
<button class="full">Continue</button></form></section>`,
  }
}
