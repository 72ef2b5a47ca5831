"""Services under watch: what is slow, down or wrong is replaced and told, and the build goes on."""
