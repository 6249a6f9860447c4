import { Writable } from 'node:stream';
import { createSecretFilters } from '@agent/text/outgoing';
import { describe, expect, it } from 'vitest';
import { createLogger } from './logger.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';

function capture(
  format: 'json' | 'pretty' | 'auto',
  span: { readonly traceId: string; readonly spanId: string } | null = null,
) {
  const lines: string[] = [];
  const output = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk));
      done();
    },
  });
  const logger = createLogger({
    level: () => 'info',
    format,
    redact: createSecretFilters(['top-secret-token']).redactOutgoing,
    version: '1.2.3',
    activeSpan: () => span,
    output,
  });
  return { lines, logger };
}

describe('createLogger', () => {
  it('writes JSON where nobody sits at a terminal', () => {
    const { lines, logger } = capture('auto');
    logger.info({ task: '#42', step: 3 }, 'running');
    expect(JSON.parse(lines.join(''))).toMatchObject({ level: 30, task: '#42', step: 3, msg: 'running' });
  });

  it('names the version on each line, and the span of the work that logs it [NX-346]', () => {
    const traced = capture('json', { traceId, spanId });
    traced.logger.child({ run: 'a' }).info({}, 'ran tool');
    expect(JSON.parse(traced.lines.join(''))).toMatchObject({
      'service.version': '1.2.3',
      trace_id: traceId,
      span_id: spanId,
    });
    const untraced = capture('json');
    untraced.logger.info({}, 'polled');
    expect(Object.keys(JSON.parse(untraced.lines.join('')))).toEqual([
      'level',
      'time',
      'service.version',
      'msg',
    ]);
    const shown = capture('pretty', { traceId, spanId });
    shown.logger.info({}, 'ran tool');
    expect(shown.lines.join('')).toMatch(/^[\d:]{8} {2}ran tool\n$/);
  });

  it('lets no secret out, wherever it hides: message, field, error or cause', () => {
    for (const format of ['json', 'pretty'] as const) {
      const { lines, logger } = capture(format);
      const cause = new Error('caused by top-secret-token');
      logger.error(
        { err: new Error('top-secret-token', { cause }), deep: { er: ['top-secret-token'] } },
        'x top-secret-token',
      );
      expect(lines.join('')).toContain('[REDACTED]');
      expect(lines.join('')).not.toContain('top-secret-token');
    }
  });

  it('names an error as it names itself, whatever became of the name of its class', () => {
    const { lines, logger } = capture('json');
    class O extends Error {
      override name = 'PlatformError';
    }
    logger.error({ err: new O('gone') }, 'failed');
    expect(JSON.parse(lines.join('')).err).toMatchObject({ type: 'PlatformError', message: 'gone' });
  });

  it('renders a line that a person can read', () => {
    const { lines, logger } = capture('pretty');
    logger.info({ task: 'acme/shop#42', step: 3, tool: 'read_file', ms: 12 }, 'tool finished');
    expect(lines.join('').replace(/^[\d:]{8}/, 'TIME')).toBe(
      'TIME  acme/shop#42  step 3  tool finished  tool=read_file  ms=12\n',
    );
  });

  it('says in the place of the step which phase it is before the first', () => {
    const { lines, logger } = capture('pretty');
    logger.info({ task: 'acme/shop#42', phase: 'pre-planning', ms: 12 }, 'ran tool');
    expect(lines.join('').replace(/^[\d:]{8}/, 'TIME')).toBe(
      'TIME  acme/shop#42  pre-planning  ran tool  ms=12\n',
    );
  });

  it('keeps control sequences of strangers away from the terminal', () => {
    const { lines, logger } = capture('pretty');
    logger.warn({ title: '\u001b[2J\u0007evil\nline' }, 'a title');
    expect(lines.join('')).toContain('title= evil line');
    expect(lines.join('')).not.toContain('\u001b');
  });
});
