import { expect, it } from 'vitest';
import { describeLogLine } from './describe-log-line.ts';

it.each([
  ['12:34:56  ready  concurrency=2', 'ready  concurrency=2'],
  ['12:34:56  corner-shop/price-list#1  starting run', 'starting run'],
  ['12:34:56  corner-shop/price-list!2  step 10  calling model', 'calling model'],
  ['12:34:56  corner-shop/price-list#1  step 2  ran tool  tool=read_file', 'ran tool  tool=read_file'],
  ['12:34:56  warning  corner-shop/price-list#1  step 2  tool failed  ms=5', 'warning  tool failed  ms=5'],
  ['12:34:56  corner-shop/price-list#1  pre-planning  ran tool  ms=5', 'pre-planning  ran tool  ms=5'],
  [
    '12:34:56  corner-shop/price-list#1  detected new comments  taskUuid=05a7-b72c  count=1',
    'detected new comments  count=1',
  ],
  ['12:34:56  corner-shop/price-list#1  ran tool  pre-planning  ms=5', 'ran tool  pre-planning  ms=5'],
  [
    `12:34:56  corner-shop/price-list#1  step 2  ran tool  call={"old_text":"${'x'.repeat(90)}"}  ms=5`,
    `ran tool  call={"old_text":"${'x'.repeat(37)}…  ms=5`,
  ],
  ['no log line', 'no log line'],
])('shows of “%s” what is new to whoever watches', (line, shown) => {
  expect(describeLogLine(line)).toBe(shown);
});

it.each([
  '12:34:56  corner-shop/price-list#1  pre-planning event  event=collection-progress',
  '12:34:56  built run index  index=/tmp/x/contexts/index  runs=0',
])('leaves “%s” out', (line) => {
  expect(describeLogLine(line)).toBeNull();
});
