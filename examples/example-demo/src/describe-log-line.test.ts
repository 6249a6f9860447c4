import { expect, it } from 'vitest';
import { describeLogLine } from './describe-log-line.ts';

it.each([
  ['12:34:56  ready  concurrency=2', 'ready  concurrency=2'],
  ['12:34:56  corner-shop/price-list#1  starting', 'starting'],
  ['12:34:56  corner-shop/price-list!2  step 10  asking the model', 'asking the model'],
  ['12:34:56  corner-shop/price-list#1  step 2  a tool ran  tool=read_file', 'a tool ran  tool=read_file'],
  [
    '12:34:56  warning  corner-shop/price-list#1  step 2  a tool failed  ms=5',
    'warning  a tool failed  ms=5',
  ],
  ['12:34:56  corner-shop/price-list#1  getting ready  a tool ran  ms=5', 'getting ready  a tool ran  ms=5'],
  [
    '12:34:56  corner-shop/price-list#1  New comments detected: 1 (Task: 05a7-b72c)  taskUuid=05a7-b72c',
    'New comments detected: 1',
  ],
  ['12:34:56  corner-shop/price-list#1  a tool ran  getting ready  ms=5', 'a tool ran  getting ready  ms=5'],
  [
    `12:34:56  corner-shop/price-list#1  step 2  a tool ran  call={"old_text":"${'x'.repeat(90)}"}  ms=5`,
    `a tool ran  call={"old_text":"${'x'.repeat(37)}…  ms=5`,
  ],
  ['no log line', 'no log line'],
])('shows of “%s” what is new to whoever watches', (line, shown) => {
  expect(describeLogLine(line)).toBe(shown);
});

it.each([
  '12:34:56  corner-shop/price-list#1  getting ready  event=collection-progress',
  '12:34:56  built the index of earlier runs  index=/tmp/x/contexts/index  runs=0',
])('leaves “%s” out', (line) => {
  expect(describeLogLine(line)).toBeNull();
});
