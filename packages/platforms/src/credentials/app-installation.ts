import type * as z from 'zod';
import { isPlacePattern, parsePlacePattern } from '../place-pattern.ts';
import { isNotFound } from '../platform-error.ts';
import type { CallOptions } from '../ports.ts';
import type { AppRequests } from './app-requests.ts';

/**
 * Asks for the installation of the App on a repository, `owner/repo`, or with a pattern, `owner/*`, for that of the account.
 *
 * @see https://docs.github.com/en/rest/apps/apps#get-an-organization-installation-for-the-authenticated-app
 */
export async function askForInstallation<Schema extends z.ZodType>(
  ask: AppRequests['ask'],
  { place, schema, signal }: { readonly place: string; readonly schema: Schema } & CallOptions,
): Promise<z.output<Schema>> {
  const doing = `find the installation of the App on ${place}`;
  const find = (address: string) => ask({ route: `GET ${address}/installation`, doing, signal }, schema);
  if (!isPlacePattern(place)) return find(`/repos/${place}`);
  const { owner } = parsePlacePattern(place);
  return find(`/orgs/${owner}`).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
    return find(`/users/${owner}`);
  });
}
