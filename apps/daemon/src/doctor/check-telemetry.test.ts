import { expect, it } from 'vitest';
import { startTraceReceiver } from '../../test/support/trace-receiver.ts';
import { checkTelemetry } from './check-telemetry.ts';
import type { Finding } from './finding.ts';
import { en } from './texts.en.ts';

async function examine(environment: Readonly<Record<string, string>>): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const { signal } = new AbortController();
  const report = (finding: Finding) => void findings.push(finding);
  const tools = { texts: en, report, fetch: globalThis.fetch, signal, processEnvironment: environment };
  await checkTelemetry(tools, { telemetry: { enabled: true, content: false }, environment });
  return findings;
}

it('the doctor says where traces and metrics go, and whether somebody takes them there [NX-351] [NX-408]', async () => {
  const receiver = await startTraceReceiver();
  const { environment } = receiver;
  const [traces, metrics] = ['traces', 'metrics'].map(
    (signal) => `${environment.OTEL_EXPORTER_OTLP_ENDPOINT}/v1/${signal}`,
  );
  expect(await examine(environment)).toMatchObject([
    { status: 'ok', text: expect.stringContaining(traces ?? '') },
    { status: 'ok', text: expect.stringContaining(metrics ?? '') },
  ]);
  expect(receiver.text()).toBe('{"resourceSpans":[]}\n{"resourceMetrics":[]}');
  await receiver.close();
  expect(await examine(environment)).toMatchObject([
    { status: 'warning', text: expect.stringContaining(traces ?? '') },
    { status: 'warning', text: expect.stringContaining(metrics ?? '') },
  ]);
});

it('the doctor says nothing of traces where none are sent [NX-351]', async () => {
  expect(await examine({})).toEqual([]);
  expect(
    await examine({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_SDK_DISABLED: 'true' }),
  ).toEqual([]);
});
