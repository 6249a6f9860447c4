import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createLogger } from '../../apps/daemon/src/log/logger.ts';
import { createSanitizer } from '../../packages/context-inheritance/src/create-sanitizer.ts';
import { findForbiddenValue } from '../../packages/pre-planning/src/assumption/forbidden/find-forbidden.ts';
import { createOutgoingGate, createSecretFilters } from '../../packages/text/src/outgoing/outgoing-gate.ts';
import { lookAlikes, secretRemains, secretSamples } from '../../packages/text/test/secret-samples.ts';

const gate = createOutgoingGate({ secrets: [], places: [] });
const sanitize = createSanitizer();

function log(text: string): string {
  let written = '';
  const output = new Writable({
    write: (chunk, _encoding, done) => {
      written += String(chunk);
      done();
    },
  });
  const { redactOutgoing: redact } = createSecretFilters([]);
  createLogger({ level: () => 'info', format: 'json', redact, version: '1.0.0', output }).info(
    { text },
    'said',
  );
  // What was taken out leaves a line that can be read.
  return JSON.parse(written).text;
}

/** Who takes secrets out of texts, each through the one table. */
const users: Readonly<Record<string, (text: string) => string | Promise<string>>> = {
  'what later runs inherit': (text) => sanitize(text, { users: [], hostnames: [] }),
  'what goes to a platform': gate.cleanText,
  'the log': log,
};

describe.each(Object.entries(users))('%s', (_, clean) => {
  it.each(secretSamples)('holds no secret of the table: %s [NX-37]', async (_, secret) => {
    const cleaned = await clean(`before ${secret} after`);
    expect(cleaned).toContain('[REDACTED]');
    expect(cleaned).not.toMatch(secretRemains);
  });

  it.each(lookAlikes)('keeps what only looks like one: %s [NX-37]', async (text) => {
    expect(await clean(text)).not.toContain('[REDACTED]');
  });
});

describe('what is assumed', () => {
  it.each(secretSamples)('is no secret of the table: %s [PP-27]', (_, secret) => {
    expect(findForbiddenValue(`before ${secret} after`)).not.toBeNull();
  });

  it.each(lookAlikes.filter((text) => !/password|token|key/i.test(text)))(
    'may be what only looks like one: %s [PP-27]',
    (text) => {
      expect(findForbiddenValue(text)).toBeNull();
    },
  );
});
