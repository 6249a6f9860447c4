import { describe, expect, it } from 'vitest';
import { toVerdict } from '../format-report.ts';
import { toWebhooksReport } from './webhooks-report.ts';

const throughput = [
  { bytes: 10, work: 'HMAC alone', perSecond: [90_000] },
  { bytes: 10, work: 'verify, parse, ring', perSecond: [25_000, 19_000, 21_000] },
  { bytes: 99, work: 'verify, parse, ring', perSecond: [5_000] },
];
const arrival = Array.from({ length: 100 }, (_, index) => index);
const latency = { arrival, answer: [2], quietStep: [7], late: 0 };

describe('the report on webhooks', () => {
  it('holds the smaller bodies, handled whole, against the goal, and the 99th of a hundred arrivals', () => {
    const { goals } = toWebhooksReport({ throughput, latency });
    expect(goals.map(({ measured }) => measured)).toEqual([25_000, 98, 0]);
    expect(goals.map(toVerdict)).toEqual(['met', 'missed', 'met']);
  });

  it('says how many comments came late', () => {
    const { goals, notes } = toWebhooksReport({ throughput, latency: { ...latency, late: 3 } });
    expect(goals.map(toVerdict)).toEqual(['met', 'missed', 'missed']);
    expect(notes.at(-1)).toContain(': 3.');
  });
});
