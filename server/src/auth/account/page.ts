import { type Html, html, type Page } from '../pages/layout.ts'
import type { Membership } from '../people.ts'
import type { AllowedApplication, SignedInSession } from './store.ts'

export type Account = {
  email: string
  memberships: readonly Membership[]
  sessions: readonly SignedInSession[]
  applications: readonly AllowedApplication[]
  csrf: string
  problem?: string
  done?: string
}

export function accountPage({ email, memberships, sessions, applications, csrf, problem, done }: Account): Page {
  const token = html`<input type="hidden" name="csrf" value="${csrf}">`
  return {
    title: 'Your account',
    status: problem ? 400 : 200,
    body: html`<div class="wide"></div>
<section class="card">
<h1>Your account</h1>
<p class="soft">${email}</p>
${problem && html`<p class="note bad" role="alert">${problem}</p>`}
${done && html`<p class="note good" role="status">${done}</p>`}
<p>${memberships.map(({ organization, role }) => html`${organization} <span class="soft">(${role})</span><br>`)}</p>
<form method="post" action="/sign-out">${token}<button class="plain">Sign out</button></form>
</section>
<section class="card"><h2>Where you are signed in</h2><ul class="rows">${sessions.map((session) => sessionRow(session, token))}</ul></section>
<section class="card"><h2>Applications you allowed</h2>${
      applications.length === 0
        ? html`<p class="soft">None.</p>`
        : html`<ul class="rows">${applications.map((application) => applicationRow(application, token))}</ul>`
    }</section>
<section class="card"><h2>Change your password</h2>
<form method="post" action="/account/password">${token}
<label for="current">Current password</label><input id="current" name="current" type="password" autocomplete="current-password" required maxlength="1024">
<label for="next">New password (at least 10 characters)</label><input id="next" name="next" type="password" autocomplete="new-password" required minlength="10" maxlength="1024">
<button>Change password</button></form>
<p class="soft small">You stay signed in here; every other place is signed out, and applications you allowed have to ask again.</p></section>`,
  }
}

function sessionRow({ id, user_agent, address, created_at, current }: SignedInSession, token: Html): Html {
  return html`<li><div>${browserOf(user_agent)}${current && html` <strong>(this one)</strong>`}<br><span class="soft small">${address ?? 'unknown address'}, since ${dateOf(created_at)}</span></div>
${!current && html`<form method="post" action="/account/sessions/end">${token}<input type="hidden" name="session" value="${id}"><button class="plain">Sign out</button></form>`}</li>`
}

function applicationRow({ id, application, organization, created_at }: AllowedApplication, token: Html): Html {
  return html`<li><div><strong>${application}</strong><br><span class="soft small">in ${organization}, since ${dateOf(created_at)}</span></div>
<form method="post" action="/account/grants/revoke">${token}<input type="hidden" name="grant" value="${id}"><button class="plain">Take back</button></form></li>`
}

function browserOf(userAgent: string | null): string {
  const browser = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari'].find((name) => userAgent?.includes(`${name}/`))
  const system = ['Windows', 'Android', 'iPhone', 'iPad', 'Mac OS', 'Linux'].find((name) => userAgent?.includes(name))
  const name = { Edg: 'Edge', OPR: 'Opera' }[browser ?? ''] ?? browser ?? 'Some program'
  return system ? `${name} on ${system}` : name
}

function dateOf(time: Date): string {
  return time.toISOString().slice(0, 16).replace('T', ' ').concat(' UTC')
}
