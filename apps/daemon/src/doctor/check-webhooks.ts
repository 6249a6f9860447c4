import { listWebhookSettings } from '../http/list-webhook-settings.ts';
import type { DoctorParts } from './doctor-parts.ts';
import { reportOn } from './finding.ts';

/** A secret that is guessed in no time protects nothing. */
const minCharacters = 16;

/** Reports whether platforms can tell the daemon what happens; without it, it polls, which is well too. */
export function checkWebhooks({ texts, report, loaded }: DoctorParts): void {
  const { config, environment } = loaded;
  const { port, host } = config.http;
  const area = reportOn('webhooks', report);
  for (const { name, path, variable, secret } of listWebhookSettings(config, environment)) {
    if (secret === null) area.ok(texts.webhooksOff(name, variable));
    else if (port === null)
      area.warning(texts.webhooksWithoutPort(name, variable), { fix: texts.fixWebhookPort });
    else if (secret.length < minCharacters)
      area.warning(texts.webhookSecretShort(variable), { fix: texts.fixWebhookSecret(minCharacters) });
    else area.ok(texts.webhooksOn(name, `${host}:${port}${path}`));
  }
}
