// @module-tag full
import { afterEach, describe, expect, it } from 'vitest';
import { createDaemonsOfWorld } from '../support/daemons-of-world.ts';
import { fixScript } from '../support/fix-script.ts';
import { onlyPrePlanning, withPreparation } from '../support/pre-planning-script.ts';
import { type ReceivedPoint, startTraceReceiver, type TraceReceiver } from '../support/trace-receiver.ts';
import { token } from '../support/world.ts';

const daemons = createDaemonsOfWorld();
let receiver: TraceReceiver | null = null;
afterEach(async () => {
  await daemons.close();
  await receiver?.close();
  receiver = null;
});

async function receive(): Promise<TraceReceiver> {
  receiver = await startTraceReceiver();
  return receiver;
}

const issue = { title: 'The total is wrong', body: 'It forgets the quantity.', labels: ['coding agent'] };

/** Has a daemon with these variables work on one issue until it ends. */
async function workWith(variables: Readonly<Record<string, string>>): Promise<TraceReceiver> {
  const received = await receive();
  const at = await daemons.open({ script: fixScript });
  at.forge.openIssue(issue);
  const environment = { ...received.environment, ...variables };
  const exit = await daemons.start(at.configFile, { environment }).exited;
  expect(exit.code, exit.output).toBe(0);
  return received;
}

/** Lines by which scrapers read a number that was received, buckets left out. */
function toLines({ name, unit, attributes, value, sum }: ReceivedPoint): readonly string[] {
  const spell = (given: string) => given.replaceAll('.', '_');
  const suffix = unit === 's' && !name.endsWith('_seconds') ? '_seconds' : '';
  const scraped = `${spell(name)}${suffix}`;
  const pairs = Object.entries(attributes).map(([key, text]) => `${spell(key)}="${text}"`);
  const labels = pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
  if (sum === null) return [`${scraped}${labels} ${toShort(value)}`];
  return [`${scraped}_count${labels} ${toShort(value)}`, `${scraped}_sum${labels} ${toShort(sum)}`];
}

/** Each reader adds up in its own order, which shows in the last digits. */
const toShort = (value: number): string => value.toPrecision(12);

/** Lines of `/metrics` with a number, those of memory and buckets left out, and counters without their suffix. */
function readLines(text: string): readonly string[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !/^#|_bucket\{|^process_(?:resident|heap)|^target_info/.test(line))
    .map((line) =>
      line.replace(/^(\w+)_total\b/, '$1').replace(/ (\S+)$/, (_, value) => ` ${toShort(Number(value))}`),
    )
    .sort();
}

describe('metrics of the daemon', () => {
  it('arrive by OTLP with the numbers of /metrics, each request to a model counted once [NX-406] [NX-407] [NX-410]', async () => {
    const { environment, points, spans, text } = await receive();
    const at = await daemons.open({
      script: withPreparation(fixScript),
      config: {
        planning: onlyPrePlanning(),
        http: { port: 0, page: { enabled: false } },
        poll_interval_seconds: 60,
      },
    });
    at.forge.openIssue(issue);
    const running = daemons.start(at.configFile, {
      // No request may take longer: what arrives late would be sent again, and be older than what came meanwhile.
      environment: { ...environment, OTEL_METRIC_EXPORT_INTERVAL: '2000' },
      flags: ['--log-format', 'json'],
    });
    await running.printed(/finished task/);
    const url = /"url":"(http:[^"]+)","msg":"serving/.exec(running.output())?.[1] ?? '';
    await expect
      .poll(async () => {
        const shown = readLines(await (await fetch(`${url}/metrics`)).text());
        const sent = points().flatMap(toLines);
        return { missing: shown.filter((line) => !sent.includes(line)), shown: shown.length > 30 };
      })
      .toEqual({ missing: [], shown: true });

    const found = (name: string) => points().filter((point) => point.name === name);
    const model = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'scripted-model',
    };
    const asked = at.model.requests.length;
    const [took, ...others] = found('gen_ai.client.operation.duration');
    expect(took).toMatchObject({ unit: 's', value: asked });
    expect({ others, attributes: took?.attributes }).toEqual({ others: [], attributes: model });
    expect(found('gen_ai.client.token.usage')).toMatchObject(
      ['input', 'output'].map((type) => ({
        ...{ unit: '{token}', value: asked },
        attributes: { ...model, 'gen_ai.token.type': type },
      })),
    );
    const traced = spans().filter(({ name }) => name === 'chat scripted-model');
    expect(traced).toHaveLength(asked);
    // Who looks from a number to its spans finds them by the same names.
    expect(traced.map(({ attributes }) => attributes['gen_ai.provider.name'])).toEqual(
      traced.map(() => model['gen_ai.provider.name']),
    );
    for (const word of [issue.title, issue.body, 'total.js', token, 'key-of-the-receiver'])
      expect(text()).not.toContain(word);
  });

  it('are sent a last time when the daemon ends, also where nothing is served and traces are off [NX-408]', {
    tags: ['full'],
  }, async () => {
    const { points, spans } = await workWith({ OTEL_TRACES_EXPORTER: 'none' });
    const ended = points().filter(({ name }) => name === 'agent_daemon_runs_ended');
    expect(ended.find(({ attributes }) => attributes.outcome === 'completed')?.value).toBe(1);
    expect(spans()).toEqual([]);
  });

  it('are none where the standard variable switches them off, while traces arrive [NX-408]', {
    tags: ['release'],
  }, async () => {
    const { points, spans } = await workWith({ OTEL_METRICS_EXPORTER: 'none' });
    expect(points()).toEqual([]);
    expect(spans()).not.toEqual([]);
  });
});

describe('a trace of pre-planning', () => {
  it('has each request to the model and each call of a tool once, below the phase [NX-409]', {
    tags: ['full'],
  }, async () => {
    const { environment, spans } = await receive();
    const planning = onlyPrePlanning();
    const at = await daemons.open({ script: withPreparation(fixScript), config: { planning } });
    at.forge.openIssue(issue);
    const exit = await daemons.start(at.configFile, { environment }).exited;
    expect(exit.code, exit.output).toBe(0);
    const [phase, ...others] = spans().filter(({ name }) => name === 'pre_planning');
    expect(others).toEqual([]);
    const below = spans().filter(({ parentSpanId }) => parentSpanId === phase?.spanId);
    const asked = below.filter(({ name }) => name === 'chat scripted-model');
    const used = below.filter(({ name }) => name.startsWith('execute_tool '));
    expect(asked.length).toBeGreaterThan(0);
    expect(used.length).toBeGreaterThan(0);
    const ids = used.map(({ attributes }) => attributes['gen_ai.tool.call.id']).sort();
    expect(ids).toEqual(used.map((_, index) => `prepare-${index + 1}`));
    expect(spans().filter(({ name }) => name === 'chat scripted-model')).toHaveLength(
      at.model.requests.length,
    );
  });
});
