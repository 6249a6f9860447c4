import { resolve } from 'node:path';
import type { PageSettings } from '@agent/page/config';
import type { Environment } from '@agent/workspace';
import { isLoopback } from '../http/create-app.ts';
import { toProxyLogin } from '../http/proxy-login.ts';
import { openStatusAccess } from '../http/status-access.ts';
import { type DoctorTools, reportOn } from './finding.ts';

/** Settings that decide who can use the web UI and read the endpoints. */
export interface AccessSettings {
  readonly http: {
    readonly port: number | null;
    readonly host: string;
    readonly page: PageSettings;
    readonly metrics_token_file: string | null;
  };
  readonly sandbox: 'required' | 'external' | 'off';
  /** Directory of the configuration file. */
  readonly directory: string;
  readonly environment: Environment;
}

/** Checks that neither commands of the agent nor other machines can act or read as a user. */
export async function checkAccess(
  { texts, report }: Pick<DoctorTools, 'texts' | 'report'>,
  { http, sandbox, directory, environment }: AccessSettings,
): Promise<void> {
  const { port, host, page, metrics_token_file: tokenFile } = http;
  if (port === null) return;
  const area = reportOn('http', report);
  const isOfStatus = async () => false;
  const read = async () => {
    if (page.enabled) toProxyLogin(page.proxy, environment);
    if (tokenFile !== null)
      await openStatusAccess({ tokenFile: resolve(directory, tokenFile), page: null, isOfStatus });
  };
  await read().catch((error: Error) => area.failed(error.message, { fix: texts.fixHttpSecret }));
  if (page.enabled && page.proxy !== null && sandbox !== 'required')
    area.failed(texts.proxyIsOpen(sandbox), { fix: texts.fixProxyIsOpen });
  if (!page.enabled && tokenFile === null && !isLoopback(host))
    area.failed(texts.titlesAreOpen(host), { fix: texts.fixTitlesAreOpen });
}
