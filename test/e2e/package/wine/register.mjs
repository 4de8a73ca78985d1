import { registerHooks } from 'node:module';
import { Socket } from 'node:net';

/**
 * Loaded before a test under Wine. Links to the packages of the repository look like folders there, and Node strips no
 * types in node_modules: so their files are taken from where they are.
 */
const packages = new URL('../../../../packages/', import.meta.url);

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'sharp')
      return { url: new URL('./sharp-stand-in.mjs', import.meta.url).href, shortCircuit: true };
    const own = /^@guise\/([^/]+)\/(.+)$/.exec(specifier);
    return next(own ? new URL(`${own[1]}/src/${own[2]}`, packages).href : specifier, context);
  },
});

// Wine lacks the option of sockets that fetch asks for before it connects.
Socket.prototype.setKeepAlive = function setKeepAlive() {
  return this;
};
