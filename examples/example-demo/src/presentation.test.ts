import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { formatThread } from './format-thread.ts';
import { listenForInterruption } from './interruption.ts';
import { createPrinter } from './printer.ts';
import { createTimeline } from './timeline.ts';

function print(color: boolean): string {
  let written = '';
  const write = (text: string) => {
    written += text;
  };
  const printer = createPrinter({ write, color, verbose: true, elapsedMs: () => 1234 });
  printer.event('github', 'comments on #1');
  printer.diff('--- a/x\n+++ b/x\n-old\n+new');
  printer.verdict('it works', true);
  return written;
}

describe('what people see', () => {
  it('has colors on a terminal and the same text without them elsewhere', () => {
    expect(print(false)).toBe(
      '   1.2 s  github  comments on #1\n  --- a/x\n  +++ b/x\n  -old\n  +new\n  ✔ it works\n',
    );
    expect(print(true)).toContain('\u001b[32m+new');
  });

  it('keeps a line of the timeline within the width of a terminal, under who speaks', () => {
    let written = '';
    const write = (text: string) => {
      written += text;
    };
    createPrinter({ write, color: false, verbose: true, elapsedMs: () => 0 }).event(
      'model',
      'a word '.repeat(30),
    );
    const [first = '', ...others] = written.trimEnd().split('\n');
    expect(first).toMatch(/^ {3}0\.0 s {2}model {3}a word/);
    expect(others).toHaveLength(2);
    for (const line of others) expect(line).toMatch(/^ {18}(?:a )?word/);
    expect(Math.max(...written.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(115);
  });

  it('lets no control sequence of a model or a program reach the terminal', () => {
    const written: string[] = [];
    const write = (text: string) => void written.push(text);
    const printer = createPrinter({ write, color: true, verbose: true, elapsedMs: () => 0 });
    printer.block('\u001b[2Jgone\rback');
    printer.diff('+\u001b]0;title\u0007new');
    expect(written).toEqual(['  gone\n', '  back\n', '  \u001b[32m+new\u001b[39m\n']);
  });

  it('tells in order what was said and, between it, what reached GitHub and is done', () => {
    const written: string[] = [];
    const write = (text: string) => void written.push(text.slice(10));
    const requests = [{ method: 'GET', path: '/user', status: 200 }];
    const printer = createPrinter({ write, color: false, verbose: true, elapsedMs: () => 0 });
    const comments = ['Mine.', '<!-- marker -->\n## 📋 Task understood'].map((body, at) => ({
      author: ['jonas', 'shop-agent'][at] ?? null,
      body,
      isSeen: false,
    }));
    const issue = () => ({
      ...{ reference: '#1', number: 1, title: 'T', body: null, labels: [], changeRequest: null },
      comments,
    });
    const timeline = createTimeline(printer, { name: 'github', requests: () => requests, issue });
    timeline.daemonSays('12:34:56  corner-shop/price-list#1  step 2  ready');
    requests.push({ method: 'POST', path: '/repos/o/r/issues/1/comments', status: 201 });
    timeline.modelSays('One.\n\nTwo.');
    requests.push({ method: 'POST', path: '/repos/o/r/issues/1/comments', status: 0 });
    timeline.personSays('mika', 'Three.');
    timeline.daemonSays('12:34:57  pre-planning event  event=collection-progress');
    Object.assign(requests.at(-1) ?? {}, { status: 201 });
    timeline.catchUp();
    expect(written).toEqual([
      'daemon  ready\n',
      'github  comments on #1: 📋 Task understood\n',
      'model   “One.”\n',
      'model   “Two.”\n',
      'mika    “Three.”\n',
      'github  comments on #1\n',
    ]);
  });

  it('shows a thread as its page does, without empty lines and what is hidden there', () => {
    const comments = [
      { author: 'robot', body: '<!-- marker\n of ours -->\nDone.\n\nSee #2.' },
      { author: null, body: 'Thanks' },
    ];
    const thread = { reference: '#1', title: 'T', body: null, labels: ['bug', 'done'], comments };
    expect(formatThread(thread)).toBe(
      '#1 T\nLabels: bug, done\n\n@robot:\n│ Done.\n│ See #2.\n\n@ghost:\n│ Thanks',
    );
  });
});

describe('listenForInterruption', () => {
  it('passes every signal on while somebody is at work, and remembers the first', () => {
    const source = new EventEmitter();
    const passed: string[] = [];
    const interruption = listenForInterruption(source);
    expect(interruption.signal()).toBeNull();
    interruption.passTo((name) => passed.push(name));
    source.emit('SIGINT');
    source.emit('SIGTERM');
    interruption.passTo(null);
    source.emit('SIGTERM');
    expect(passed).toEqual(['SIGINT', 'SIGTERM']);
    expect(interruption.signal()).toBe('SIGINT');
  });

  it('hands over at once what came before anybody was at work', () => {
    const source = new EventEmitter();
    const interruption = listenForInterruption(source);
    source.emit('SIGTERM');
    const passed: string[] = [];
    interruption.passTo((name) => passed.push(name));
    expect(passed).toEqual(['SIGTERM']);
  });
});
