# syntax=docker/dockerfile:1

# Packages, the models among them: the largest layer, and the one that changes least.
FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages ./packages
# The image brings Node itself, and needs one platform's libraries of onnxruntime.
RUN npm ci --omit=dev --no-fund --no-audit \
 && rm -rf node_modules/node-linux-* node_modules/node-bin-* \
 && rm -rf node_modules/onnxruntime-node/bin/*/darwin node_modules/onnxruntime-node/bin/*/win32 \
 && find node_modules/@ffmpeg-installer -name ffmpeg -type f -exec chmod 0755 {} +

FROM node:24-bookworm-slim
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=8080 \
    GUISE_DATA_DIR=/data
WORKDIR /app
RUN install -d -o node -g node -m 0700 /data
COPY --from=packages /app/node_modules ./node_modules
COPY package.json LICENSE NOTICE ./
COPY catalog ./catalog
COPY packages ./packages
COPY tools/make-bucket.ts tools/convert-models.ts ./tools/
# The studio's page, built. The server finds it newer than its sources.
RUN node node_modules/vite/bin/vite.js build packages/studio --logLevel warn
USER node
# The first start finds the models converted. A data folder that is mounted empty gets them at its first start.
RUN node tools/convert-models.ts
VOLUME /data
EXPOSE 8080
ENTRYPOINT ["node", "packages/server/src/cli/main.ts"]
CMD ["start"]
