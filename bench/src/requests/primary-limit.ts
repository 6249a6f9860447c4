import * as assert from 'node:assert/strict';
import { token, type World } from '../world.ts';

/** How many requests the server itself has counted against the token's primary limit. Asking is free. */
export async function readPrimaryUse({ gitHub }: World): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'user-agent': 'bench' };
  const response = await fetch(`${gitHub.url}/rate_limit`, { headers });
  assert.equal(response.status, 200, 'GitHub says how much of the limit is used');
  const answer = (await response.json()) as { resources: { core: { used: number } } };
  return answer.resources.core.used;
}
