# Builds an image of Usher: docker build -t usher .
ARG BUILD_IMAGE=swift:6.3-bookworm
ARG RUN_IMAGE=debian:bookworm-slim

FROM ${BUILD_IMAGE} AS build
# An SBOM of the image includes this stage, because only Package.resolved names the Swift packages in the executable.
ARG BUILDKIT_SBOM_SCAN_STAGE=true
WORKDIR /usher
# Steps that change least come first, so that a change of the sources does not repeat them.
COPY script/support/install script/support/install
RUN script/support/install build python3
COPY script/support/icu script/support/icu
RUN script/support/icu icu.o >icu.flags
COPY Package.swift ./
# The manifest needs the folders of the tests, which are not part of the build context.
RUN swift package resolve \
  && sed -nE 's,.*"([A-Za-z]*Tests)".*,Tests/\1,p; s,.*path: "(Tests/[^"]*)".*,\1,p' Package.swift | xargs mkdir -p
COPY openapi.yaml ./
COPY Sources Sources
# Packed relocations make the executable smaller. So does exporting no symbols: the executable loads no plug-ins.
RUN swift build -c release --static-swift-stdlib --product usher $(cat icu.flags) \
    -Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs -Xlinker --no-export-dynamic \
  && install -D --strip .build/release/usher /out/usher

FROM ${RUN_IMAGE}
# The libraries that the executable loads, and the roots of TLS for HTTP services. User and group ids are fixed, because files in volumes keep them.
RUN apt-get update \
  && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
    ca-certificates libcurl4 libgnutls30 libmicrohttpd12 libpq5 libqrencode4 libsqlite3-0 libyaml-0-2 tzdata \
  && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/cache/debconf/*-old /var/log/apt /var/log/dpkg.log \
  && groupadd --gid 10001 usher \
  && useradd --uid 10001 --gid 10001 --no-log-init --home-dir /data --no-create-home --shell /usr/sbin/nologin usher \
  && install -d --owner 10001 --group 10001 --mode 0700 /data \
  && install -d /flows
COPY --from=build /out/usher /usr/local/bin/usher

# The flows that the container serves: docker run -v ./flows:/flows usher
ENV USHER_BIND=0.0.0.0 USHER_FLOWS=/flows
VOLUME /data
EXPOSE 8080
USER 10001:10001
# The default folder of sessions. A variable in its place would override settings in files.
WORKDIR /data
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["usher", "health"]
ENTRYPOINT ["usher"]
CMD ["serve"]

ARG VERSION=dev
ARG REVISION=unknown
ARG CREATED
LABEL org.opencontainers.image.title="Usher" \
  org.opencontainers.image.description="An HTTP service that hosts the navigation of an app" \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}" \
  org.opencontainers.image.created="${CREATED}"
