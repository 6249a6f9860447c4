import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { describeText } from '../answer/ask-model.ts';
import { BotError, describeError } from '../bot-error.ts';
import { createLogger } from './run-command.ts';

function open(format: 'pretty' | 'json') {
  const lines: string[] = [];
  const output = new Writable({
    write: (chunk, _, done) => {
      lines.push(String(chunk));
      done();
    },
  });
  const settings = { DEBUG_ASSISTANT: false, LOG_FORMAT: format, DISCORD_TOKEN: 'very.secret"token' };
  return { lines, logger: createLogger(settings, output) };
}

describe('createLogger', () => {
  it('writes JSON, or lines for people that command no terminal [TC-47]', () => {
    const json = open('json');
    json.logger.warn({ threadId: '1' }, 'odd');
    json.logger.debug({}, 'unheard');
    expect(json.lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 40, threadId: '1', msg: 'odd' },
    ]);
    const pretty = open('pretty');
    pretty.logger.error({ kind: 'x\u001b[2Jy\n', status: null, turns: 3 }, 'failed');
    expect(pretty.lines[0]?.slice(8)).toBe('  ERROR failed  kind=xy   turns=3\n');
  });

  it('lets no secret out [TC-46]', () => {
    for (const format of ['json', 'pretty'] as const) {
      const { lines, logger } = open(format);
      logger.error({ reason: 'with very.secret"token inside' }, 'very.secret"token');
      expect(lines.join()).not.toContain('secret');
      expect(lines.join()).toContain('[REDACTED]');
    }
  });
});

describe('describeError', () => {
  it('names kind and status of what the app knows [TC-47]', () => {
    const error = new BotError('discord-permission', 'refused', {
      status: 403,
      discordCode: 50_013,
      operation: 'post',
    });
    expect(describeError(error)).toEqual({
      kind: 'discord-permission',
      status: 403,
      discordCode: 50_013,
      operation: 'post',
      reason: 'refused',
    });
  });

  it('quotes nothing of what it does not know [TC-46]', () => {
    const error = Object.assign(new TypeError('private\nwords'), { requestBody: 'private' });
    const described = JSON.stringify(describeError(error));
    expect(described).toContain('TypeError');
    expect(described).not.toMatch(/private|words/);
    expect(describeError('private')).toMatchObject({ kind: 'unexpected', reason: 'string' });
  });
});

describe('describeText', () => {
  it('says how long a text is, and whether it is the same as another [TC-46, D16]', () => {
    expect(describeText('hello')).toEqual({ chars: 5, sha256: '2cf24dba5fb0' });
  });
});
