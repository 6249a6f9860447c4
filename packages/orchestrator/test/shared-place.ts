import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';

/** A place that the processes of one test share. */
export interface SharedPlace {
  readonly directory: string;
  /** Schema of the shared database. */
  readonly schema: string;
  /** Called after the test, before the directory is removed. */
  readonly ends: (() => Promise<unknown>)[];
}

/** Gives each test of a file a place of its own. Read its properties in the test. */
export function useSharedPlace(name: string): SharedPlace {
  const place = { directory: '', schema: '', ends: [] as (() => Promise<unknown>)[] };
  beforeEach(async () => {
    place.directory = await mkdtemp(join(tmpdir(), `${name}-`));
    place.schema = `${name}_${randomUUID().replaceAll('-', '').slice(0, 20)}`;
    place.ends = [];
  });
  afterEach(async () => {
    await Promise.all(place.ends.map((end) => end()));
    await rm(place.directory, { recursive: true, force: true });
  });
  return place;
}
