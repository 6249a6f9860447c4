import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  mergeShapes,
  type Reference,
  type Rehearsal,
  rehearsalSchema,
  toReference,
} from '@agent/rehearsal/shapes';
import type { PermissionName } from '@agent/simulators/discord';
import { startRehearsalFixture } from '../rehearsal-fixture.ts';

/** Records the answers of the simulated Discord to a rehearsal in which the bot has these permissions, too. */
async function record(
  permissions: readonly PermissionName[],
  environment: Readonly<Record<string, string>> = {},
): Promise<readonly Reference[]> {
  const fixture = await startRehearsalFixture({ environment });
  for (const permission of permissions) fixture.discord.grant(permission);
  await fixture.rehearse();
  const written = await readFile(join(fixture.directory, 'rehearsal.json'), 'utf8');
  await fixture.close();
  const { exchanges } = rehearsalSchema.parse(JSON.parse(written));
  return exchanges.filter(isOfBot).flatMap(toReference);
}

/** Of model servers, the daemon records all answers but those that arrive as a stream. */
function isOfBot({ service, answer }: Rehearsal['exchanges'][number]): boolean {
  return service === 'discord' || (service === 'model' && answer?.$?.includes('events') === true);
}

/** Records the references again: `node --conditions=@agent/source apps/discord/test/rehearse/references/main.ts`. */
const recorded = [
  ...(await record([])),
  ...(await record(['ManageThreads', 'ManageMessages'])),
  ...(await record([], { STREAM: 'true', HISTORY_CACHE: 'gateway' })),
];
const groups = Map.groupBy(recorded, ({ route, status }) => `${route} ${status}`);
const references = [...groups.values()].map((group) => ({
  ...(group[0] as Reference),
  answer: mergeShapes(group.map(({ answer }) => answer)),
}));
await writeFile(
  new URL('../../../../../packages/rehearsal/src/shapes/fixtures/discord-references.json', import.meta.url),
  `${JSON.stringify(references, null, 1)}\n`,
);
process.exit();
