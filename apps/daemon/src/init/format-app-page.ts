import { formatAppManifest } from '@agent/platforms/credentials';
import type { InitAnswers } from './ask-answers.ts';
import type { InitTexts } from './texts.en.ts';

/** File of the private key that GitHub offers as a download, as the configuration names it. */
export const keyFile = 'github-app.pem';

/** Formats the page whose buttons create the App, for an account and for an organization; null if no App is wanted. */
export function formatAppPage(
  { app, platform, baseUrl, repositories }: InitAnswers,
  { appPage, isElevated = false }: Pick<InitTexts, 'appPage'> & { readonly isElevated?: boolean },
): string | null {
  if (app === null || platform !== 'github') return null;
  const site = baseUrl === null ? 'https://github.com' : new URL(baseUrl).origin;
  const [owner = ''] = repositories[0]?.split('/') ?? [];
  const ways = [
    { label: appPage.forAccount(owner), settings: `${site}/settings/apps` },
    { label: appPage.forOrganization(owner), settings: `${site}/organizations/${owner}/settings/apps` },
  ];
  const forms = ways.map(({ label, settings }) => {
    const manifest = formatAppManifest({
      name: app,
      url: `${site}/${owner}`,
      redirectUrl: settings,
      webhookUrl: null,
      isElevated,
    });
    return `<form method="post" action="${escapeHtml(settings)}/new">
<input type="hidden" name="manifest" value="${escapeHtml(manifest)}">
<p><button>${escapeHtml(label)}</button></p>
</form>`;
  });
  return `<!doctype html>
<meta charset="utf-8">
<title>${escapeHtml(appPage.title(app))}</title>
<h1>${escapeHtml(appPage.title(app))}</h1>
${forms.join('\n')}
`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
