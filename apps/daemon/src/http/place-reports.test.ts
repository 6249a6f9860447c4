import { createPlaceReports, emptyBoard, reduceBoard } from '@agent/orchestrator';
import { PlatformError } from '@agent/platforms';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { serviceOf } from '../../test/support/service-of.ts';

it('a repository that is gone is logged once, is a problem of the service, and leaves it up [NX-26]', () => {
  const lines: string[] = [];
  let board = emptyBoard;
  const report = createPlaceReports({
    logger: pino({}, { write: (line: string) => void lines.push(JSON.parse(line).msg) }),
    observe: (event) => {
      board = reduceBoard(board, event, 1_000);
    },
  });
  const gone = { place: 'acme/gone', error: new PlatformError('404', { code: 'not-found' }) };
  report('github', [gone]);
  report('github', [gone]);
  expect(lines).toEqual(['failed to list tasks of repository']);
  expect(serviceOf({ state: board })).toMatchObject({
    status: 'degraded',
    problems: [{ cause: 'repository_away', scope: 'github/acme/gone', state: 'failed', reason: '404' }],
  });
  report('github', []);
  report('github', []);
  expect(lines.slice(1)).toEqual(['repository is available again']);
  expect(board.conditions.get('place:github/acme/gone')).toMatchObject({ state: 'ok', reason: null });
});
