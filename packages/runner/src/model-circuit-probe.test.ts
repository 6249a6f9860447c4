import { APICallError, generateText } from 'ai';
import { describe, expect, it } from 'vitest';
import { createScriptedModel } from '../test/scripted-model.ts';
import { ModelCircuit } from './model-circuit.ts';

const { signal } = new AbortController();
const refused = (fields: Partial<ConstructorParameters<typeof APICallError>[0]>) =>
  new APICallError({ message: 'no', url: 'http://127.0.0.1/v1', requestBodyValues: {}, ...fields });

/** An endpoint that fails until a time, and what it was asked. */
function setUp({ until, error }: { readonly until: number; readonly error: () => Error }) {
  let time = 0;
  const circuit = new ModelCircuit({ now: () => time, random: () => 1 });
  const script = createScriptedModel(() => (time < until ? error() : 'Done.'));
  const model = circuit.watch(script);
  const ask = () => generateText({ model, prompt: 'x', maxRetries: 0 }).catch(() => null);
  return { circuit, ask, asked: script.prompts, pass: (ms: number) => (time += ms) };
}

describe('a model that is away while nothing is asked of it', () => {
  it('is asked shortly once its wait is over, and lets everything go on when it answers [NX-41, NX-42]', async () => {
    const at = setUp({ until: 10_000, error: () => refused({ statusCode: 401 }) });
    await at.circuit.probe({ signal });
    expect(at.asked).toEqual([]);
    await at.ask();
    await at.circuit.probe({ signal });
    expect(at.asked).toHaveLength(1);
    at.pass(1_000);
    await at.circuit.probe({ signal });
    expect([at.asked.length, at.circuit.state.status]).toEqual([2, 'open']);
    expect(JSON.stringify(at.asked[1])).toContain('Answer with OK.');
    at.pass(60_000);
    await at.circuit.probe({ signal });
    expect([at.asked.length, at.circuit.state.status]).toEqual([3, 'closed']);
    await at.circuit.probe({ signal });
    expect(at.asked).toHaveLength(3);
  });

  it('is not asked shortly after a failure that only whole requests meet', async () => {
    const responseBody = JSON.stringify({ error: { code: 'insufficient_quota' } });
    const error = () =>
      refused({ message: 'You exceeded your current quota', statusCode: 429, responseBody });
    const at = setUp({ until: 10_000_000, error });
    await at.ask();
    expect(at.circuit.state.failure?.kind).toBe('no-quota');
    const before = at.asked.length;
    at.pass(3_600_000);
    await at.circuit.probe({ signal });
    expect(at.asked).toHaveLength(before);
  });
});
