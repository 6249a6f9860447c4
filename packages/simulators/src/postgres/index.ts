export { findSharedPostgres } from './shared-postgres.ts';
export { type PostgresOptions, type PostgresServer, startPostgres } from './start-postgres.ts';
export { type ProxyFault, type ProxyWatch, startProxy, type TcpProxy } from './start-proxy.ts';
