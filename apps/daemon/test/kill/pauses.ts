import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createFilePauseSignal, createFileRunControls } from '@agent/run-store/file';
import type { Pause } from './interruption.ts';

/** What people do with pauses beside a daemon. */
export interface Pauses {
  readonly ask: (what: Pause['what']) => Promise<void>;
  readonly takeBack: () => Promise<void>;
  /** Whether a run has begun and not ended. */
  readonly isUnfinished: () => Promise<boolean>;
}

export function createPauses(contexts: string): Pauses {
  const signal = createFilePauseSignal(join(contexts, 'pause_signal'));
  const controls = createFileRunControls({ baseDirectory: contexts });
  const list = async (place: string): Promise<string[]> => {
    const names = await readdir(join(contexts, place)).catch(() => []);
    return names.filter((name) => /^[0-9a-f-]{36}$/.test(name));
  };
  return {
    ask: async (what) => {
      if (what === 'everything') return signal.set();
      for (const uuid of await list('running')) await controls.request(uuid, 'pause');
    },
    takeBack: async () => {
      await signal.clear();
      const left = [...(await list('running')), ...(await list('paused'))];
      for (const { uuid, verb } of await controls.list()) {
        if (verb === 'pause' && left.includes(uuid)) await controls.request(uuid, 'resume');
      }
    },
    isUnfinished: async () => (await list('running')).length + (await list('paused')).length > 0,
  };
}
