import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Forge } from '../../support/forge.ts';
import type { World } from '../../support/world.ts';
import { agentLabel } from './people.ts';

/** Directory of a daemon: they have one each. */
export type Place = 'first' | 'second';

export type ThreadKind = 'issue' | 'change-request' | 'fork';

export interface DaemonPlace {
  readonly configFile: string;
  readonly contexts: string;
  readonly temporary: string;
}

/** Two directories with the same configuration, whose servers are behind the proxies. */
export async function layOut(
  world: World,
  addresses: Readonly<Record<string, string>>,
): Promise<Readonly<Record<Place, DaemonPlace>>> {
  let config = await readFile(world.configFile, 'utf8');
  for (const [from, to] of Object.entries(addresses)) config = config.replaceAll(from, to);
  const make = async (directory: string): Promise<DaemonPlace> => {
    const at = (name: string): string => join(directory, name);
    await mkdir(at('tmp'), { recursive: true });
    await writeFile(at('agent.config.yaml'), config);
    return { configFile: at('agent.config.yaml'), contexts: at('contexts'), temporary: at('tmp') };
  };
  return { first: await make(world.directory), second: await make(join(world.directory, 'second')) };
}

export async function openThread(forge: Forge, kind: ThreadKind): Promise<{ readonly reference: string }> {
  const seed = { title: 'The total is wrong', body: 'It forgets the quantity.', labels: [agentLabel] };
  const head = { headBranch: 'alice/total', files: { 'NOTES.md': 'Alice was here.\n' } };
  if (kind === 'issue') return forge.openIssue(seed);
  if (kind === 'fork') return forge.openFromFork({ ...seed, ...head });
  return forge.openChangeRequest({ ...seed, ...head });
}
