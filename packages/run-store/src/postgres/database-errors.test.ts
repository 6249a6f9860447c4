import { describe, expect, it } from 'vitest';
import { isOutage, toDatabaseError } from './outage.ts';

describe('an error of the server', () => {
  const translate = (code: string) =>
    toDatabaseError(Object.assign(new Error('It said so.'), { code }), 'db.example/agent');

  it('says what to do, and of a full disk that it is full', () => {
    expect(translate('53100')).toMatchObject({
      code: 'storage-full',
      message:
        'The database "db.example/agent" did not execute a statement. The disk of the server is full: free some space there. It reported: It said so.',
    });
    expect(translate('42P01')).toMatchObject({ code: 'storage-failed' });
  });

  it.each([
    ...['08000', '08006', '08P01', '53000', '53100', '53200', '53300', '53400', '57000', '57014', '57P01'],
    ...['57P02', '57P03', '57P05', '58000', '58030', '58P01', '58P02', '40001', '40003', '40P01', '25006'],
    ...['25P03', '55P03', 'XX000', 'ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN'],
  ])('with the code %s is waited for', (code) => {
    expect(isOutage(Object.assign(new Error('It reported so.'), { code }))).toBe(true);
  });

  it.each([
    ...['23505', '22021', '28P01', '28000', '3D000', '42501', '42P01', '40002', '54000', 'XX001', 'XX002'],
    ...['P0001', 'EACCES', 'ENOENT'],
  ])('with the code %s is not waited for', (code) => {
    expect(isOutage(Object.assign(new Error('It reported so.'), { code }))).toBe(false);
  });

  it('with a code for anything unsupported is waited for only if a plan is outdated', () => {
    const isWaitedFor = (message: string) => isOutage(Object.assign(new Error(message), { code: '0A000' }));
    expect(isWaitedFor('cached plan must not change result type')).toBe(true);
    expect(isWaitedFor('cross-database references are not implemented')).toBe(false);
  });

  it('without a code is waited for if the client lost its connection', () => {
    const isWaitedFor = (message: string) => isOutage(new Error(message));
    expect(
      [
        'Connection terminated unexpectedly',
        'Client has encountered a connection error and is not queryable',
        'timeout exceeded when trying to connect',
      ].map(isWaitedFor),
    ).not.toContain(false);
    expect(isWaitedFor('The server does not support SSL connections')).toBe(false);
    expect(isOutage(new TypeError('x is not a function'))).toBe(false);
  });
});
