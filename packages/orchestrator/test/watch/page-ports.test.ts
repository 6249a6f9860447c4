import { expect, it } from 'vitest';
import type { HealthReader, PageChanges, PageReader, RunActions } from '../../../page/src/ports.ts';
import type { RunsWatch } from '../../src/watch/index.ts';

/** Compiles only where the read models are what a page reads. */
const fits = (watch: RunsWatch) =>
  ({
    reader: watch.reader satisfies PageReader,
    changes: watch.changes satisfies PageChanges,
    health: watch.health satisfies HealthReader,
    actions: watch.actions satisfies RunActions,
  }) as const;

it('the read models of runs are what a page reads [NX-310, NX-313, NX-318]', () => {
  expect(Object.keys(fits({} as RunsWatch))).toEqual(['reader', 'changes', 'health', 'actions']);
});
