import { describe, expect, it } from 'vitest';
import { createOutgoingGate, createSecretFilters, toPatch } from '../outgoing/index.ts';
import { createIssuedSecrets } from './index.ts';

const hourMs = 3_600_000;
const fixed = 'plum-orchard-lane';
// Put together here, so that scanners of this repository find nothing; without an issuer's prefix, so that no form finds it.
const tokenOf = (number: number) => ['tok', `of run ${number}`.replaceAll(' ', '-'), 'k3Zq9Xv2'].join('-');

describe('secrets that come and go', () => {
  it('are hidden by filters and gates that were made before [NX-205]', async () => {
    const secrets = createIssuedSecrets([fixed]);
    const { hideKnownSecrets, redactOutgoing } = createSecretFilters(secrets.values);
    const gate = createOutgoingGate({ secrets: secrets.values, places: [] });
    const text = `${fixed} and ${tokenOf(1)}`;
    expect(hideKnownSecrets(text)).toBe(`[REDACTED] and ${tokenOf(1)}`);
    secrets.add({ value: tokenOf(1), endsAt: null });
    expect([hideKnownSecrets(text), redactOutgoing(text)]).toEqual(
      Array(2).fill('[REDACTED] and [REDACTED]'),
    );
    expect(await gate.cleanText(text)).toBe('[REDACTED] and [REDACTED]');
    const patch = `diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -0,0 +1 @@\n+${tokenOf(1)}\n`;
    expect(await gate.findPushedSecrets(toPatch([Buffer.from(patch)], 1_000))).toMatchObject([
      { path: 'a', isOwn: true },
    ]);
  });

  it('are forgotten a day after their end, and all but the newest 32, so that the search grows no more [NX-205]', () => {
    let time = 0;
    const secrets = createIssuedSecrets([fixed], { now: () => time });
    for (let number = 1; number <= 200; number += 1) {
      secrets.add({ value: tokenOf(number), endsAt: time + hourMs });
      time += hourMs;
      expect(secrets.values().length).toBeLessThanOrEqual(1 + 25);
      expect(secrets.values()).toContain(tokenOf(number));
    }
    expect(secrets.values()).toContain(tokenOf(177));
    expect(secrets.values()).not.toContain(tokenOf(175));
    const endless = createIssuedSecrets([fixed]);
    for (let number = 1; number <= 50; number += 1) endless.add({ value: tokenOf(number), endsAt: null });
    expect(endless.values()).toHaveLength(33);
    expect(endless.values().slice(0, 2)).toEqual([fixed, tokenOf(19)]);
  });

  it('are one list as long as nothing changed', () => {
    const secrets = createIssuedSecrets([fixed]);
    secrets.add({ value: tokenOf(1), endsAt: null });
    const values = secrets.values();
    for (const value of [fixed, tokenOf(1)]) secrets.add({ value, endsAt: null });
    expect(secrets.values()).toBe(values);
  });
});
