import { escapeHtml } from '../../platform/escape-html.ts'
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
    ? '<button>Allow</button><button name="answer" value="no" formnovalidate class="plain">Deny</button>'
    : '<button>Sign in</button>'
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)} · Atrium sandbox</title>
<style>${STYLE}</style>
</head>
<body><main>
<p class="kind">Atrium sandbox</p>
<h1>${escapeHtml(title)}</h1>
<p>A stand-in for development: any address gets in, and nothing leaves this machine.</p>
${consent}
${alert}
<form method="post">
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" required autofocus autocomplete="username" spellcheck="false" placeholder="ada@example.com" value="${escapeHtml(email)}">
${buttons}
</form>
</main></body>
</html>
`
}

const STYLE = `
:root{color-scheme:light dark;--background:#f6f5f2;--sheet:#fff;--ink:#1f2328;--soft:#5b6169;--line:#dcd9d2;--accent:#0b5bd3;--bad:#b3261e}
@media (prefers-color-scheme:dark){:root{--background:#16181b;--sheet:#1f2226;--ink:#e9eaec;--soft:#a5abb3;--line:#363a40;--accent:#7fb0ff;--bad:#ffb4ab}}
*{box-sizing:border-box}
body{margin:0;padding:10vh 1rem;background:var(--background);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
main{margin:0 auto;max-width:24rem;padding:2rem;border:1px solid var(--line);border-radius:.8rem;background:var(--sheet)}
h1{margin:0;font-size:1.6rem}
p{color:var(--soft);margin:.4rem 0 1.4rem}
.kind{margin:0;font-size:.85rem;text-transform:uppercase;letter-spacing:.08em}
.problem{color:var(--bad)}
form{display:grid;gap:.6rem}
label{font-weight:600}
input,button{padding:.65rem .8rem;border:1px solid var(--line);border-radius:.5rem;background:var(--sheet);color:inherit;font:inherit}
button{border-color:var(--accent);background:var(--accent);color:var(--sheet);font-weight:600;cursor:pointer}
.plain{background:var(--sheet);color:var(--accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
`
