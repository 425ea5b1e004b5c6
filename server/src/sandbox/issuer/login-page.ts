import { escapeHtml } from '../../platform/escape-html.ts'
import { sandboxPage } from '../sandbox-page.ts'

export interface LoginView {
  /** Which issuer: `provider-a`. */
  name: string
  email?: string
  problem?: string
  /** The application wants more than to know who it is: their calendars. */
  asksConsent?: boolean
}

const TITLES: Record<string, string> = {
  'provider-a': 'Provider A',
  'provider-b': 'Provider B',
  sso: 'Single sign-on',
}

/** The login page of a stand-in: one form with one field. No script, nothing from elsewhere, everything escaped. */
export function renderLogin({ name, email = '', problem, asksConsent = false }: LoginView): string {
  const title = TITLES[name] ?? name
  const alert = problem ? `<p class="problem" role="alert">${escapeHtml(problem)}</p>` : ''
  const consent = asksConsent ? '<p><strong>Atrium</strong> asks to read your calendars.</p>' : ''
  const buttons = asksConsent
    ? '<button class="primary">Allow</button><button name="answer" value="no" formnovalidate>Deny</button>'
    : '<button class="primary">Sign in</button>'
  return sandboxPage({
    title,
    path: '',
    about: 'A stand-in for development: any address gets in, and nothing leaves this machine.',
    content: `${consent}
${alert}
<form method="post">
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" required autofocus autocomplete="username" spellcheck="false" placeholder="ada@example.com" value="${escapeHtml(email)}">
${buttons}
</form>`,
    style: 'main{max-width:26rem;margin:0 auto}',
  })
}
