import { createSecretFilters } from '@agent/text/outgoing';
import { SpanStatusCode } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { guardSpans } from './guard-spans.ts';

const secret = 'correct-horse-battery-staple';
const { redactOutgoing } = createSecretFilters([secret]);

it('no secret leaves in a span, wherever it stands, and no message of an error [NX-344]', () => {
  const places = ['name', 'attribute', 'list', 'event', 'exception', 'status'] as const;
  fc.assert(
    fc.property(fc.subarray([...places], { minLength: 1 }), fc.string(), (chosen, around) => {
      const exporter = new InMemorySpanExporter();
      const spanProcessors = [new SimpleSpanProcessor(guardSpans(exporter, redactOutgoing))];
      const tracer = new BasicTracerProvider({ spanProcessors }).getTracer('test');
      const text = `${around} ${secret} ${around}`;
      const at = (place: (typeof places)[number]) => (chosen.includes(place) ? text : 'nothing');
      const span = tracer.startSpan(at('name'), { attributes: { text: at('attribute'), count: 3 } });
      span.setAttribute('list', ['x', at('list')]);
      span.addEvent('said', { text: at('event') });
      span.recordException({ name: 'TypeError', message: at('exception'), stack: at('exception') });
      span.setStatus({ code: SpanStatusCode.ERROR, message: at('status') });
      span.end();
      const [sent] = exporter.getFinishedSpans();
      const shown = {
        name: sent?.name,
        attributes: sent?.attributes,
        events: sent?.events,
        status: sent?.status,
      };
      expect(JSON.stringify(shown)).not.toContain(secret);
      expect(sent?.attributes.count).toBe(3);
      expect(sent?.status).toEqual({ code: SpanStatusCode.ERROR });
      expect(sent?.events[1]?.attributes).toEqual({ 'exception.type': 'TypeError' });
    }),
  );
});
