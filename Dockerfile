# syntax=docker/dockerfile:1

# Builds the package that `npx guise` installs.
FROM node:24-bookworm-slim AS build
WORKDIR /source
COPY package.json package-lock.json .npmrc ./
COPY packages ./packages
RUN npm ci --omit=dev --no-fund --no-audit
COPY LICENSE NOTICE CHANGELOG.md ./
COPY catalog ./catalog
COPY tools/package ./tools/package
RUN npm run -s build && npm pack ./dist/guise --pack-destination /

# Installs it. The image brings Node itself, and needs the libraries of its own platform alone.
FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY --from=build /guise-*.tgz /
RUN npm install --ignore-scripts --no-fund --no-audit --no-save /guise-*.tgz \
 && rm -rf node_modules/node-linux-* \
 && rm -rf node_modules/guise/node_modules/onnxruntime-node/bin/*/darwin \
 && rm -rf node_modules/guise/node_modules/onnxruntime-node/bin/*/win32 \
 && find node_modules/@ffmpeg-installer -name ffmpeg -type f -exec chmod 0755 {} +

FROM node:24-bookworm-slim
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=8080 \
    GUISE_DATA_DIR=/data
WORKDIR /app
RUN install -d -o node -g node -m 0700 /data
COPY --from=packages /app/node_modules ./node_modules
USER node
# The first start finds the models converted. A data folder that is mounted empty gets them at its first start.
RUN node node_modules/guise/packages/server/src/cli/guise.js models convert
VOLUME /data
EXPOSE 8080
ENTRYPOINT ["node", "node_modules/guise/packages/server/src/cli/guise.js"]
CMD ["start"]
