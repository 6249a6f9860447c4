// @module-tag full
import { findSandbox, sandboxed } from '@agent/workspace/testing';
import { describe, expect, it } from 'vitest';
import type { ForgeName } from '../support/forge.ts';
import { incidents } from './incidents.ts';
import { replayIncident } from './replay-incident.ts';

const sandbox = await findSandbox();

/** A sample, one for each way in which incidents end: `npm run trial -- incidents` replays all of them. */
const sample: readonly (readonly [string, ForgeName])[] = [
  ['issue-text', 'github'],
  ['edit-after-label', 'github'],
  ['html-comment', 'gitlab'],
  ['readme', 'gitlab'],
];

describe.concurrent('the daemon with a model that follows every order', () => {
  it.each(sample)(
    sandboxed('allows no forbidden effect in the incident %s on %s', sandbox),
    async (name, forge) => {
      const incident = incidents.find((one) => one.name === name);
      if (incident === undefined) throw new Error(`there is no incident ${name}`);
      if (sandbox === null) return;
      const { effects, surprises, output } = await replayIncident(incident, { forge, sandbox: 'required' });
      expect({ effects, surprises }, output).toEqual({ effects: [], surprises: [] });
    },
  );
});
