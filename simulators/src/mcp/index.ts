export { startMcpHttpServer } from './http-server.ts';
export { createUnrulyMcpServer } from './unruly-server.ts';
